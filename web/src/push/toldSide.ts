import { find, forget, keep } from './kept.ts';

const KEY = 'told';
export type Side = 'visitor' | 'staff';

/* For whom this browser is told: without it the worker would not know whom to subscribe again. */

export function rememberTold(side: Side): Promise<void> {
  return keep(KEY, side);
}

export function forgetTold(): Promise<void> {
  return forget(KEY);
}

export async function findTold(): Promise<Side | undefined> {
  const side = await find(KEY);
  return side === 'visitor' || side === 'staff' ? side : undefined;
}
