import { deleteValue, getValue, putValue } from './keyValueStore.ts';

const KEY = 'told';
export type Side = 'visitor' | 'staff';

/** The person whom this browser notifies. The worker needs it to renew the subscription. */
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

/** Visitors always are. Staff may have signed out, and the next person may not have enabled notifications. */
export function isStillSignedIn({ side, id }: SubscribedAs, staffId: string | undefined): boolean {
  return side === 'visitor' || id === staffId;
}
