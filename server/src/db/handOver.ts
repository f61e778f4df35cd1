import { type Kysely, sql } from 'kysely';
import type { Tables } from './tables.ts';

type Queries = Kysely<Tables>;

/**
 * The desk where the conversation is, if this one may hand it over; null stands for every desk. Held until the commit.
 * Not `for update`: that would also stop a device that is just being attached.
 */
export async function lockDeskOf(
  db: Queries,
  conversationId: string,
  alias: string | null,
): Promise<string | undefined> {
  let query = db.selectFrom('conversations').select('handler_alias').where('id', '=', conversationId);
  if (alias !== null) query = query.where('handler_alias', '=', alias);
  return (await query.forNoKeyUpdate().executeTakeFirst())?.handler_alias;
}

/** Whoever sits at the new desk has not seen it, however much of it the old one read. */
export async function moveToDesk(db: Queries, conversationId: string, alias: string): Promise<void> {
  await db
    .updateTable('conversations')
    .set({ handler_alias: alias, marked_unread: true, rev: sql<number>`rev + 1` })
    .where('id', '=', conversationId)
    .execute();
}
