import { requestResult, transactionDone } from '../../outbox/indexedDb.ts';
import { STORE, STORE_PREFIX } from './indexedDbUploads.ts';
import { type StoredUpload, UPLOAD_LIFETIME_MS } from './upload.ts';

/** Removes expired uploads of all users of this browser, because their owners may never return. */
export async function sweepUploads(now: number): Promise<void> {
  // Browsers that cannot list databases keep them until their owner returns.
  const all = (await indexedDB.databases?.()) ?? [];
  for (const { name } of all)
    if (name?.startsWith(STORE_PREFIX)) await sweep(name, ({ at }) => now - at > UPLOAD_LIFETIME_MS);
}

/** Removes all uploads of a chat that no longer exists. */
export async function dropUploads(whose: string, conversationId: string): Promise<void> {
  const name = STORE_PREFIX + whose;
  // Do not create the database for this. A browser that cannot list databases gets an empty one.
  const all = await indexedDB.databases?.();
  if (all && !all.some((each) => each.name === name)) return;
  await sweep(name, (kept) => kept.conversationId === conversationId);
}

async function sweep(name: string, isOver: (kept: StoredUpload) => boolean): Promise<void> {
  const database = await requestResult(indexedDB.open(name));
  try {
    if (!database.objectStoreNames.contains(STORE)) return;
    const transaction = database.transaction(STORE, 'readwrite');
    const walking = transaction.objectStore(STORE).openCursor();
    walking.onsuccess = () => {
      const cursor = walking.result;
      if (!cursor) return;
      if (isOver(cursor.value as StoredUpload)) cursor.delete();
      cursor.continue();
    };
    await transactionDone(transaction);
  } finally {
    database.close();
  }
}
