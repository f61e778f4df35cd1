import { STORE, STORE_PREFIX } from './indexedDbUploads.ts';
import { KEPT_FOR_MS, type KeptUpload } from './uploadStore.ts';

/**
 * Removes files that nobody waits for any more, whoever they were of: on a machine that several people use, the one who
 * left them may never come back.
 */
export async function sweepUploads(now: number): Promise<void> {
  // Not every browser tells which databases it has; there they stay until their owner comes.
  const all = (await indexedDB.databases?.()) ?? [];
  for (const { name } of all) if (name?.startsWith(STORE_PREFIX)) await sweep(name, now);
}

function sweep(name: string, now: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open(name);
    opening.onerror = () => reject(opening.error ?? new Error('IndexedDB'));
    opening.onsuccess = () => {
      const database = opening.result;
      const end = (done: () => void) => {
        database.close();
        done();
      };
      if (!database.objectStoreNames.contains(STORE)) return end(resolve);
      const transaction = database.transaction(STORE, 'readwrite');
      transaction.oncomplete = () => end(resolve);
      transaction.onabort = () => end(() => reject(transaction.error ?? new Error('IndexedDB')));
      const walking = transaction.objectStore(STORE).openCursor();
      walking.onsuccess = () => {
        const cursor = walking.result;
        if (!cursor) return;
        if (now - (cursor.value as KeptUpload).at > KEPT_FOR_MS) cursor.delete();
        cursor.continue();
      };
    };
  });
}
