import type { Block } from '@settee/protocol/model/block';
import { type Kysely, sql } from 'kysely';
import { insertAudit } from '../audit/audit.ts';
import type { Database } from '../engine/database.ts';
import type { Tables } from '../engine/tables.ts';

type Queries = Kysely<Tables>;

/** Call it after removeBlock in the same transaction. Returns when the block ends; null for never. */
export async function writeBlock(
  db: Queries,
  conversationId: string,
  { reason = '', hours = null }: { reason?: string | undefined; hours?: number | null | undefined },
): Promise<Date | null> {
  const { rows } = await sql<{ until: Date | null }>`
    insert into blocks (conversation_id, reason, until)
    values (${conversationId}, ${reason}, now() + make_interval(hours => ${hours}::integer))
    returning until`.execute(db);
  return rows[0]?.until ?? null;
}

/** Returns false if there was none. */
export async function removeBlock(db: Queries, conversationId: string): Promise<boolean> {
  const removed = await db
    .deleteFrom('blocks')
    .where('conversation_id', '=', conversationId)
    .executeTakeFirst();
  return removed.numDeletedRows > 0n;
}

export async function findBlock(db: Database, conversationId: string): Promise<Block | null> {
  const { rows } = await db.pool.query<Block>(
    `select reason, floor(extract(epoch from until) * 1000)::float8 as until
     from blocks where conversation_id = $1`,
    [conversationId],
  );
  return rows[0] ?? null;
}

/** Expired blocks, oldest first. */
export async function readDueBlocks(db: Database, limit: number): Promise<string[]> {
  const rows = await db.sql
    .selectFrom('blocks')
    .select('conversation_id as id')
    .where('until', '<=', sql<Date>`now()`)
    .orderBy('until')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/**
 * Removes an expired block and opens the conversation, unless a message already did. Returns false if there is none.
 * Locks the conversation first, like every change of a block.
 */
export async function endDueBlock(db: Queries, conversationId: string): Promise<boolean> {
  await db
    .selectFrom('conversations')
    .select('id')
    .where('id', '=', conversationId)
    .forNoKeyUpdate()
    .execute();
  const ended = await db
    .deleteFrom('blocks')
    .where('conversation_id', '=', conversationId)
    .where('until', '<=', sql<Date>`now()`)
    .executeTakeFirst();
  if (ended.numDeletedRows === 0n) return false;
  await db
    .updateTable('conversations')
    .set({ status: 'open', closed_at: null, rev: sql<number>`rev + 1` })
    .where('id', '=', conversationId)
    .where('status', '=', 'blocked')
    .execute();
  return true;
}

/** The actor is the system. Call it last in the transaction. */
export async function auditBlockEnd(db: Queries, conversationId: string): Promise<void> {
  await insertAudit(db, {
    actor: 'system',
    action: 'conversation.open',
    target: conversationId,
    details: { from: 'blocked', reason: 'The block has ended' },
  });
}
