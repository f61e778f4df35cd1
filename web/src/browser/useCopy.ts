import { useEffect, useState } from 'react';

const SAY_COPIED_FOR_MS = 2_000;

/** Puts text on the clipboard and tells for a moment that it did. Answers whether it could. */
export function useCopy(): { copied: boolean; copy: (text: string) => Promise<boolean> } {
  const [copies, setCopies] = useState(0);
  const [copied, setCopied] = useState(false);

  useEffect(() => {
    if (copies === 0) return;
    setCopied(true);
    const timer = setTimeout(() => setCopied(false), SAY_COPIED_FOR_MS);
    return () => clearTimeout(timer);
  }, [copies]);

  async function copy(text: string): Promise<boolean> {
    try {
      await (isSecureContext ? navigator.clipboard.writeText(text) : copyBySelection(text));
      setCopies((count) => count + 1);
      return true;
    } catch (error) {
      // A browser may forbid it; the text is still there to be selected.
      console.error('copy:', error);
      return false;
    }
  }

  return { copied, copy };
}

/** The way without the clipboard's own interface, which pages over plain http do not have. */
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
