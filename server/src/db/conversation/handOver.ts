import { PUSH_AFTER_MS } from '@settee/protocol/model/push';
import { type Kysely, sql } from 'kysely';
import type { Tables } from '../engine/tables.ts';

type Queries = Kysely<Tables>;

/**
 * Locks the conversation and returns its desk, if it is at `alias`; null means any desk. Not `for update`, which would
 * block a device being attached.
 */
export async function lockConversationDesk(
  db: Queries,
  conversationId: string,
  alias: string | null,
): Promise<string | undefined> {
  let query = db.selectFrom('conversations').select('handler_alias').where('id', '=', conversationId);
  if (alias !== null) query = query.where('handler_alias', '=', alias);
  return (await query.forNoKeyUpdate().executeTakeFirst())?.handler_alias;
}

/** The new desk has not seen it, so it is marked unread. */
export async function moveToDesk(db: Queries, conversationId: string, alias: string): Promise<void> {
  await db
    .updateTable('conversations')
    .set({
      handler_alias: alias,
      marked_unread: true,
      snoozed_until: null,
      snoozed_seq: null,
      rev: sql<number>`rev + 1`,
    })
    .where('id', '=', conversationId)
    .execute();
}

/** Schedules a notification to the new desk for unseen messages, regardless of the old desk's notifications. */
export async function notifyNewDesk(db: Queries, conversationId: string): Promise<void> {
  await sql`
    insert into push_due (conversation_id, to_owner, seq, due_at)
    select c.id, true, unseen.seq, now() + make_interval(secs => ${PUSH_AFTER_MS / 1_000}::double precision)
    from conversations c
    cross join lateral (
      select m.seq from messages m
      where m.conversation_id = c.id and m.seq > c.owner_seen and not m.from_owner
      order by m.seq desc limit 1
    ) unseen
    where c.id = ${conversationId} and c.status = 'open'
      and exists (select from push_subscriptions s where s.alias = c.handler_alias)
    on conflict (conversation_id, to_owner) do update
    set seq = excluded.seq, due_at = excluded.due_at, pushed_at = null
  `.execute(db);
}
