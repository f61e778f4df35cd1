import { endBlock } from '../actions/endBlock.ts';
import { readDueBlocks } from '../db/blocks.ts';
import type { Database } from '../db/database.ts';

const BATCH = 100;

/** Ends the blocks whose time has come. Nobody is told from here: the gateways' sweep finds the new revision. */
export async function endBlocks(db: Database): Promise<number> {
  let ended = 0;
  for (;;) {
    const due = await readDueBlocks(db, BATCH);
    for (const id of due) ended += (await endBlock(db, id)) === undefined ? 0 : 1;
    if (due.length < BATCH) return ended;
  }
}
