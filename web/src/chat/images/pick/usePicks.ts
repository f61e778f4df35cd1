import { useState, useSyncExternalStore } from 'react';
import { type PickStore, startPicks } from './pickStore.ts';

export type Picks = ReturnType<PickStore['state']> & Omit<PickStore, 'state' | 'subscribe'>;

export function usePicks(start: () => PickStore = startPicks): Picks {
  const [store] = useState(start);
  return { ...store, ...useSyncExternalStore(store.subscribe, store.state) };
}

/** Whether there is, or soon will be, an image to send. */
export const hasPicks = ({ images, judging }: Pick<Picks, 'images' | 'judging'>): boolean =>
  images.length + judging > 0;
