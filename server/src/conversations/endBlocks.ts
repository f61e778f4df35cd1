import { audited } from '../platform/db/audited.ts';
import type { Database } from '../platform/db/database.ts';
import { BLOCK_END, endDueBlock, readDueBlocks } from './blocks.store.ts';

const BATCH = 100;

/** Ends expired blocks, and removes blocks that a message already ended. Gateways find the change by their sweep. */
export async function endBlocks(db: Database): Promise<number> {
  let ended = 0;
  for (;;) {
    const due = await readDueBlocks(db, BATCH);
    for (const id of due) ended += (await endBlock(db, id)) ? 1 : 0;
    if (due.length < BATCH) return ended;
  }
}

function endBlock(db: Database, conversationId: string): Promise<boolean> {
  return audited({ db }, 'system', async (step, record) => {
    const ended = await endDueBlock(step, conversationId);
    if (ended) record('conversation.open', conversationId, BLOCK_END);
    return ended;
  });
}
