import { deleteValue, getValue, putValue } from './keyValueStore.ts';

const KEY = 'told';
export type Side = 'visitor' | 'staff';

/** For whom this browser is told: without it the worker would not know whom to subscribe again. */
type SubscribedAs = { side: Side; id: string };

export function saveSubscribedAs({ side, id }: SubscribedAs): Promise<void> {
  return putValue(KEY, `${side} ${id}`);
}

export function clearSubscribedAs(): Promise<void> {
  return deleteValue(KEY);
}

export async function findSubscribedAs(): Promise<SubscribedAs | undefined> {
  return parseSubscribedAs(await getValue(KEY));
}

export function parseSubscribedAs(kept: string | undefined): SubscribedAs | undefined {
  const [side, id] = kept?.split(' ') ?? [];
  return (side === 'visitor' || side === 'staff') && id ? { side, id } : undefined;
}

/** A visitor always is; a member of staff while they are signed in: the next one has perhaps enabled nothing here. */
export function isStillSignedIn({ side, id }: SubscribedAs, staffId: string | undefined): boolean {
  return side === 'visitor' || id === staffId;
}
