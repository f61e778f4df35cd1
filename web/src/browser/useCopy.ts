import { useEffect, useState } from 'react';

const SHOW_COPIED_FOR_MS = 2_000;

/** Copies text and shows it for a moment. Resolves to whether it worked. */
export function useCopy(): { copied: boolean; copy: (text: string) => Promise<boolean> } {
  const [copies, setCopies] = useState(0);
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (copies === 0) return;
    setCopied(true);
    const timer = setTimeout(() => setCopied(false), SHOW_COPIED_FOR_MS);
    return () => clearTimeout(timer);
  }, [copies]);

  async function copy(text: string): Promise<boolean> {
    try {
      await (isSecureContext ? navigator.clipboard.writeText(text) : copyBySelection(text));
      setCopies((count) => count + 1);
      return true;
    } catch (error) {
      // The browser may forbid it. The user can still select the text.
      console.error('copy:', error);
      return false;
    }
  }

  return { copied, copy };
}

/** Fallback for plain http, where the Clipboard API is missing. */
function copyBySelection(text: string): void {
  const focused = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.style.position = 'fixed';
  document.body.append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  if (focused instanceof HTMLElement) focused.focus();
  if (!copied) throw new Error('the browser does not copy');
}
