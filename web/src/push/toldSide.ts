import { find, forget, keep } from './kept.ts';

const KEY = 'told';
export type Side = 'visitor' | 'staff';

/** For whom this browser is told: without it the worker would not know whom to subscribe again. */
type ToldWhom = { side: Side; id: string };

export function rememberTold({ side, id }: ToldWhom): Promise<void> {
  return keep(KEY, `${side} ${id}`);
}

export function forgetTold(): Promise<void> {
  return forget(KEY);
}

export async function findTold(): Promise<ToldWhom | undefined> {
  return readTold(await find(KEY));
}

export function readTold(kept: string | undefined): ToldWhom | undefined {
  const [side, id] = kept?.split(' ') ?? [];
  return (side === 'visitor' || side === 'staff') && id ? { side, id } : undefined;
}

/** A visitor always is; a member of staff while they are signed in: the next one has perhaps enabled nothing here. */
export function isStillHere({ side, id }: ToldWhom, staffId: string | undefined): boolean {
  return side === 'visitor' || id === staffId;
}
