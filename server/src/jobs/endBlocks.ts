import { auditBlockEnd, endDueBlock, readDueBlocks } from '../db/conversation/blocks.ts';
import type { Database } from '../db/engine/database.ts';

const BATCH = 100;

/**
 * Ends the blocks whose time has come, and tidies up behind those that a message ended. Nobody is told from here: the
 * gateways' sweep finds the new revision.
 */
export async function endBlocks(db: Database): Promise<number> {
  let ended = 0;
  for (;;) {
    const due = await readDueBlocks(db, BATCH);
    for (const id of due) ended += (await endBlock(db, id)) ? 1 : 0;
    if (due.length < BATCH) return ended;
  }
}

async function endBlock(db: Database, conversationId: string): Promise<boolean> {
  return db.sql.transaction().execute(async (step) => {
    const ended = await endDueBlock(step, conversationId);
    if (ended) await auditBlockEnd(step, conversationId);
    return ended;
  });
}
