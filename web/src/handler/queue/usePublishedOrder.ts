import { useEffect } from 'react';
import { shownOrder } from './shownOrder.ts';

/** Tells the rest of the console what this list shows, for as long as it is on the page. */
export function usePublishedOrder(ids: readonly string[]): void {
  useEffect(() => shownOrder.set(ids), [ids]);
  useEffect(() => shownOrder.clear, []);
}
