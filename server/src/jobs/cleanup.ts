import { auditBlockEnd, endDueBlock, readDueBlocks } from '../db/conversation/blocks.ts';
import { forgetErasure, listOldErasures } from '../db/conversation/erasure.ts';
import type { Database } from '../db/engine/database.ts';
import { deleteOrphan, takeOrphans } from '../db/media/mediaWork.ts';
import type { MediaStore } from '../ports.ts';

const SWEEP_BATCH = 100;

/**
 * Ends the blocks whose time has come, and tidies up behind those that a message ended. Nobody is told from here: the
 * gateways' sweep finds the new revision.
 */
export async function endBlocks(db: Database): Promise<number> {
  let ended = 0;
  for (;;) {
    const due = await readDueBlocks(db, SWEEP_BATCH);
    for (const id of due) ended += (await endBlock(db, id)) ? 1 : 0;
    if (due.length < SWEEP_BATCH) return ended;
  }
}

async function endBlock(db: Database, conversationId: string): Promise<boolean> {
  return db.sql.transaction().execute(async (step) => {
    const ended = await endDueBlock(step, conversationId);
    if (ended) await auditBlockEnd(step, conversationId);
    return ended;
  });
}

/**
 * A second look at what was erased an hour ago. An address for an upload may have been used after the conversation was
 * gone, and a worker that drew may have died with its picture written: whatever lies under its paths goes, whoever put
 * it there. Ends with an error when the store does: the rest waits.
 */
export async function sweepErasures({ db, media }: { db: Database; media: MediaStore }): Promise<number> {
  let swept = 0;
  for (;;) {
    const erasures = await listOldErasures(db.sql, SWEEP_BATCH);
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

/** Removes images that no message carried within a day. Ends with an error when the store does: the rest waits. */
export async function sweepMedia({ db, media }: { db: Database; media: MediaStore }): Promise<number> {
  let swept = 0;
  for (;;) {
    const orphans = await takeOrphans(db.sql, SWEEP_BATCH);
    for (const { id, stagedPath, path } of orphans) {
      await media.remove(stagedPath);
      await media.remove(path);
      await deleteOrphan(db.sql, id);
    }
    swept += orphans.length;
    if (orphans.length < SWEEP_BATCH) return swept;
  }
}
