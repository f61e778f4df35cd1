import type { Block } from '@settee/protocol/model/block';
import { FENCED_DESK } from '../platform/db/fence.ts';
import { changed, column, type Db, first, millis, one, run } from '../platform/db/query.ts';

/** Call it after removeBlock in the same transaction. Returns when the block ends; null for never. */
export async function writeBlock(
  db: Db,
  conversationId: string,
  { reason = '', hours = null }: { reason?: string | undefined; hours?: number | null | undefined },
): Promise<Date | null> {
  const { until } = await one<{ until: Date | null }>(db)`
    insert into blocks (conversation_id, reason, until)
    values (${conversationId}, ${reason}, now() + make_interval(hours => ${hours}::integer))
    returning until`;
  return until;
}

/** Returns false if there was none. */
export function removeBlock(db: Db, conversationId: string): Promise<boolean> {
  return changed(db)`delete from blocks where conversation_id = ${conversationId}`;
}

export async function findBlock(db: Db, conversationId: string): Promise<Block | null> {
  const block = await first<Block>(db)`
    select reason, ${millis('until')} as until
    from blocks where conversation_id = ${conversationId}`;
  return block ?? null;
}

/** Expired blocks, oldest first. */
export function readDueBlocks(db: Db, limit: number): Promise<string[]> {
  return column<string>(db)`
    select b.conversation_id from blocks b where b.until <= now()
      and not exists (select from conversations c where c.id = b.conversation_id and c.handler_alias = ${FENCED_DESK})
    order by b.until limit ${limit}`;
}

/**
 * Removes an expired block and opens the conversation, unless a message already did. Returns false if there is none.
 * Locks the conversation first, like every change of a block.
 */
export async function endDueBlock(db: Db, conversationId: string): Promise<boolean> {
  await run(db)`select from conversations where id = ${conversationId} for no key update`;
  if (!(await changed(db)`delete from blocks where conversation_id = ${conversationId} and until <= now()`)) {
    return false;
  }
  await run(db)`
    update conversations set status = 'open', closed_at = null, rev = rev + 1
    where id = ${conversationId} and status = 'blocked'`;
  return true;
}

/** The details in the audit log. The actor is the system. */
export const BLOCK_END = { from: 'blocked', reason: 'The block has ended' };
