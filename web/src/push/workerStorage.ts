import { requestResult } from '../chat/outbox/indexedDb.ts';
import { type WorkerTexts, workerTexts } from './workerTexts.ts';

/* Values from the pages for the service worker, which cannot read localStorage. They never leave the device. */

const DATABASE = 'settee-push';
const STORE = 'kept';

const CHAT_PREFIX = 'chat_';
const STAFF_KEY = 'staff';
const SUBSCRIBED_KEY = 'told';
const TEXTS_PREFIX = 'texts_';

/**
 * Stores the address of a conversation's chat. A push contains only the conversation's id, because the server knows
 * only the hash of the invite's token.
 */
export async function rememberChat(conversationId: string, path: string): Promise<void> {
  await put(CHAT_PREFIX + conversationId, path.replace(/\/$/, ''));
}

export async function forgetChat(conversationId: string): Promise<void> {
  await use('readwrite', (store) => store.delete(CHAT_PREFIX + conversationId));
}

export function findChat(conversationId: string): Promise<string | undefined> {
  return get(CHAT_PREFIX + conversationId);
}

/** Any chat of this device, for a notification without a conversation. */
export async function findAnyChat(): Promise<string | undefined> {
  const chats = IDBKeyRange.bound(CHAT_PREFIX, `${CHAT_PREFIX}\uFFFF`);
  const [first] = await use('readonly', (store) => store.getAll(chats, 1) as IDBRequest<string[]>);
  return first;
}

/**
 * Stores who is signed in to the console of this browser. The worker sends a reply only in their name, and none after
 * they sign out, even if the server does not know about the sign-out yet.
 */
export async function saveSignedInStaff(staffId: string): Promise<void> {
  await put(STAFF_KEY, staffId);
}

/** Does nothing if another person has signed in meanwhile, in another tab. */
export async function clearSignedInStaff(staffId: string): Promise<void> {
  await use('readwrite', (store) => {
    const found = store.get(STAFF_KEY);
    found.addEventListener('success', () => found.result === staffId && store.delete(STAFF_KEY));
    return found;
  });
}

export function findSignedInStaff(): Promise<string | undefined> {
  return get(STAFF_KEY);
}

export type Side = 'visitor' | 'staff';

/** Stores the texts of notifications in the language of the page. */
export async function saveWorkerTexts(side: Side): Promise<void> {
  await put(TEXTS_PREFIX + side, JSON.stringify(workerTexts));
}

/** An older page may have stored fewer texts, or none. */
export async function findWorkerTexts(side: Side): Promise<WorkerTexts> {
  const stored = await get(TEXTS_PREFIX + side);
  return stored === undefined
    ? workerTexts
    : { ...workerTexts, ...(JSON.parse(stored) as Partial<WorkerTexts>) };
}

/** The person whom this browser notifies. The worker needs it to renew the subscription. */
type SubscribedAs = { side: Side; id: string };

export async function saveSubscribedAs({ side, id }: SubscribedAs): Promise<void> {
  await put(SUBSCRIBED_KEY, `${side} ${id}`);
}

export async function clearSubscribedAs(): Promise<void> {
  await use('readwrite', (store) => store.delete(SUBSCRIBED_KEY));
}

export async function findSubscribedAs(): Promise<SubscribedAs | undefined> {
  return parseSubscribedAs(await get(SUBSCRIBED_KEY));
}

export function parseSubscribedAs(stored: string | undefined): SubscribedAs | undefined {
  const [side, id] = stored?.split(' ') ?? [];
  return (side === 'visitor' || side === 'staff') && id ? { side, id } : undefined;
}

/** Visitors always are. Staff may have signed out, and the next person may not have enabled notifications. */
export function isStillSignedIn({ side, id }: SubscribedAs, staffId: string | undefined): boolean {
  return side === 'visitor' || id === staffId;
}

function put(key: string, value: string): Promise<unknown> {
  return use('readwrite', (store) => store.put(value, key));
}

function get(key: string): Promise<string | undefined> {
  return use('readonly', (store) => store.get(key) as IDBRequest<string | undefined>);
}

/** Opened for each use, because uses are rare and an open database would block its deletion. */
async function use<T>(mode: IDBTransactionMode, act: (store: IDBObjectStore) => IDBRequest<T>): Promise<T> {
  const opening = indexedDB.open(DATABASE, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore(STORE);
  const database = await requestResult(opening);
  try {
    return await requestResult(act(database.transaction(STORE, mode).objectStore(STORE)));
  } finally {
    database.close();
  }
}
