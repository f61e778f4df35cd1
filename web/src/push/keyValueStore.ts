import { requestResult } from '../chat/outbox/indexedDbResult.ts';

const DATABASE = 'settee-push';
const STORE = 'kept';

/** Values from the pages for the service worker, which cannot read localStorage. They never leave the device. */
export async function putValue(key: string, value: string): Promise<void> {
  await use('readwrite', (store) => store.put(value, key));
}

export async function deleteValue(key: string): Promise<void> {
  await use('readwrite', (store) => store.delete(key));
}

/** Does nothing if another page has stored a different value meanwhile. */
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
