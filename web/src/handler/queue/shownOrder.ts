import { useSyncExternalStore } from 'react';

/**
 * The ids of the conversations in the order in which the list shows them now, with its filter and whatever holds it
 * still: what 'next' and 'previous' go by. One list is on the page at a time; it writes, all others read.
 */
const none: readonly string[] = [];
const listeners = new Set<() => void>();
let ids = none;

export const shownOrder = {
  get: (): readonly string[] => ids,
  set(next: readonly string[]): void {
    if (next.length === ids.length && next.every((id, index) => id === ids[index])) return;
    ids = next;
    for (const listener of [...listeners]) listener();
  },
  clear: (): void => shownOrder.set(none),
  subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
};

export function useShownOrder(): readonly string[] {
  return useSyncExternalStore(shownOrder.subscribe, shownOrder.get);
}
