import type { Database } from '../platform/db/database.ts';
import type { MediaStore } from '../platform/ports/ports.ts';
import { findUnreferenced } from './unreferenced.store.ts';

const BATCH = 500;
/** The conversation of an object, by its path. Other objects are ignored. */
const OWNED = /^(?:conversations|uploads)\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/./;

/**
 * Finds objects that no row references: those uploaded after the restored backup. Jobs cannot find them, because they
 * start from rows. Reports each, and removes it if asked to.
 */
export async function sweepStore(
  { db, media }: { db: Database; media: MediaStore },
  { remove, onFound }: { remove: boolean; onFound(path: string): void },
): Promise<{ found: number; total: number }> {
  let [found, total] = [0, 0];
  const gone = new Set<string>();
  const judge = async (batch: { path: string; conversationId: string }[]): Promise<void> => {
    for (const { path, conversationId, conversationIsGone } of await findUnreferenced(db, batch)) {
      onFound(path);
      found += 1;
      if (remove) await media.remove(path);
      if (conversationIsGone) gone.add(conversationId);
    }
  };
  for (const folder of ['conversations', 'uploads']) {
    let batch: { path: string; conversationId: string }[] = [];
    for await (const path of media.listAll(folder)) {
      const [, conversationId] = OWNED.exec(path) ?? [];
      if (conversationId === undefined) continue;
      batch.push({ path, conversationId });
      total += 1;
      if (batch.length < BATCH) continue;
      await judge(batch);
      batch = [];
    }
    await judge(batch);
    // On a disk, the conversation's folder would remain.
    if (remove) for (const id of gone) await media.removeAll(`${folder}/${id}`);
  }
  return { found, total };
}
