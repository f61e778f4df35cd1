import { useState, useSyncExternalStore } from 'react';
import { type PickStore, startPicks } from './pickStore.ts';

/** What waits in a composer, as it is now, and what can be done with it. */
export type Picks = ReturnType<PickStore['state']> & Omit<PickStore, 'state' | 'subscribe'>;

export function usePicks(start: () => PickStore = startPicks): Picks {
  const [store] = useState(start);
  return { ...store, ...useSyncExternalStore(store.subscribe, store.state) };
}

/** Something waits, or soon will: Send has something to send. */
export const hasPicks = ({ images, judging }: Pick<Picks, 'images' | 'judging'>): boolean =>
  images.length + judging > 0;
