import { requestResult, transactionDone } from '../../outbox/indexedDbResult.ts';
import { STORE, STORE_PREFIX } from './indexedDbUploads.ts';
import { type StoredUpload, UPLOAD_LIFETIME_MS } from './uploadStore.ts';

/**
 * Removes files that nobody waits for any more, whoever they were of: on a machine that several people use, the one who
 * left them may never come back.
 */
export async function sweepUploads(now: number): Promise<void> {
  // Not every browser tells which databases it has; there they stay until their owner comes.
  const all = (await indexedDB.databases?.()) ?? [];
  for (const { name } of all)
    if (name?.startsWith(STORE_PREFIX)) await sweep(name, ({ at }) => now - at > UPLOAD_LIFETIME_MS);
}

/** Those of one chat, however young: it is over. */
export async function dropUploads(whose: string, conversationId: string): Promise<void> {
  const name = STORE_PREFIX + whose;
  // Not made for this alone; a browser that does not tell what it has gets an empty one, which the next page replaces.
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
