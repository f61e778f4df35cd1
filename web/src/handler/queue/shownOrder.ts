import { useEffect, useSyncExternalStore } from 'react';
import { createStore } from '../../browser/createStore.ts';

/**
 * The ids of the conversations in the order in which the list shows them now, with its filter and whatever holds it
 * still: what 'next' and 'previous' go by. One list is on the page at a time; it writes, all others read.
 */
const none: readonly string[] = [];
const store = createStore(none);

export const shownOrder = {
  get: store.get,
  set(next: readonly string[]): void {
    const ids = store.get();
    if (next.length !== ids.length || next.some((id, index) => id !== ids[index])) store.set(next);
  },
  clear: (): void => shownOrder.set(none),
  subscribe: store.subscribe,
};

export function useShownOrder(): readonly string[] {
  return useSyncExternalStore(shownOrder.subscribe, shownOrder.get);
}

/** Tells the rest of the console what this list shows, for as long as it is on the page. */
export function usePublishedOrder(ids: readonly string[]): void {
  useEffect(() => shownOrder.set(ids), [ids]);
  useEffect(() => shownOrder.clear, []);
}
