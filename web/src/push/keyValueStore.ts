import { requestResult } from '../chat/outbox/indexedDbResult.ts';

const DATABASE = 'settee-push';
const STORE = 'kept';

/** What the pages leave for the service worker, which cannot read their storage. It never leaves the device. */
export async function putValue(key: string, value: string): Promise<void> {
  await use('readwrite', (store) => store.put(value, key));
}

export async function deleteValue(key: string): Promise<void> {
  await use('readwrite', (store) => store.delete(key));
}

/** Only while it is this value: another page may have put its own there since. */
export async function deleteIfEqual(key: string, value: string): Promise<void> {
  await use('readwrite', (store) => {
    const found = store.get(key) as IDBRequest<string | undefined>;
    found.addEventListener('success', () => found.result === value && store.delete(key));
    return found;
  });
}

export async function getValue(key: string): Promise<string | undefined> {
  return use('readonly', (store) => store.get(key) as IDBRequest<string | undefined>);
}

export async function listKeys(prefix: string): Promise<string[]> {
  const keys = await use('readonly', (store) => store.getAllKeys());
  return keys.map(String).filter((key) => key.startsWith(prefix));
}

/** Opened for each use: they are few and far between, and an open one would hold up whoever deletes it. */
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
