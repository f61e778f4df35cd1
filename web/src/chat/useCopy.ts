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
      await navigator.clipboard.writeText(text);
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
