import { audited } from '../db/audit/audited.ts';
import { BLOCK_END, endDueBlock, readDueBlocks } from '../db/conversation/blocks.ts';
import { forgetErasure, listOldErasures } from '../db/conversation/erasure.ts';
import type { Database } from '../db/engine/database.ts';
import { deleteOrphan, takeOrphans } from '../db/media/mediaWork.ts';
import type { MediaStore } from '../ports.ts';

const SWEEP_BATCH = 100;

/** Ends expired blocks, and removes blocks that a message already ended. Gateways find the change by their sweep. */
export async function endBlocks(db: Database): Promise<number> {
  let ended = 0;
  for (;;) {
    const due = await readDueBlocks(db, SWEEP_BATCH);
    for (const id of due) ended += (await endBlock(db, id)) ? 1 : 0;
    if (due.length < SWEEP_BATCH) return ended;
  }
}

function endBlock(db: Database, conversationId: string): Promise<boolean> {
  return audited({ db }, 'system', async (step, record) => {
    const ended = await endDueBlock(step, conversationId);
    if (ended) record('conversation.open', conversationId, BLOCK_END);
    return ended;
  });
}

/**
 * Deletes all objects of conversations erased an hour ago. A signed upload URL may have been used after the erasure,
 * or a worker may have died after writing an image. Fails if the store fails; the next run continues.
 */
export async function sweepErasures({ db, media }: { db: Database; media: MediaStore }): Promise<number> {
  let swept = 0;
  for (;;) {
    const erasures = await listOldErasures(db, SWEEP_BATCH);
    for (const erasure of erasures) {
      for (const folder of ['uploads', 'conversations']) {
        await media.removeAll(`${folder}/${erasure.conversationId}`);
      }
      await forgetErasure(db, erasure);
    }
    swept += erasures.length;
    if (erasures.length < SWEEP_BATCH) return swept;
  }
}

/** Removes images that no message carried within a day. Fails if the store fails; the next run continues. */
export async function sweepMedia({ db, media }: { db: Database; media: MediaStore }): Promise<number> {
  let swept = 0;
  for (;;) {
    const orphans = await takeOrphans(db, SWEEP_BATCH);
    for (const { id, stagedPath, path } of orphans) {
      await media.remove(stagedPath);
      await media.remove(path);
      await deleteOrphan(db, id);
    }
    swept += orphans.length;
    if (orphans.length < SWEEP_BATCH) return swept;
  }
}
