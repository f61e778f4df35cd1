import { useEffect } from 'react';

const listeners = new Set<() => void>();
let name = '';

/** Whose conversation or which page is on show, for the window's title; empty for the queue. */
export const pageName = {
  get: (): string => name,
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

export function usePageName(shown: string): void {
  useEffect(() => {
    set(shown);
    return () => set('');
  }, [shown]);
}

function set(next: string): void {
  name = next;
  for (const listener of [...listeners]) listener();
}
