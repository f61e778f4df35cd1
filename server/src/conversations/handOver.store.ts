import { PUSH_AFTER_MS } from '@settee/protocol/model/push';
import { HIDDEN_CHANGE, isWithin, type Reach } from '../access/access.store.ts';
import { type Db, run, sql, value } from '../platform/db/query.ts';
import { markEnded } from './searchDue.store.ts';

/**
 * Locks the conversation and returns its desk, if that is within reach. Not `for update`, which would
 * block a device being attached.
 */
export function lockConversationDesk(
  db: Db,
  conversationId: string,
  reach: Reach,
): Promise<string | undefined> {
  return value<string>(db)`
    select handler_alias from conversations
    where id = ${conversationId} and ${isWithin(reach, sql`handler_alias`)}
    for no key update`;
}

/** The new desk has not seen it, so it is marked unread. */
export function moveToDesk(db: Db, conversationId: string, alias: string): Promise<void> {
  return run(db)`
    with moved as (
      update conversations set handler_alias = ${alias}, marked_unread = true, snoozed_until = null,
        snoozed_seq = null, waiting_mailed_since = null, ${HIDDEN_CHANGE}
      where id = ${conversationId} returning id, handler_alias, status
    ) ${markEnded(sql`moved`)}`;
}

/** Schedules a notification to the new desk for unseen messages, regardless of the old desk's notifications. */
export function notifyNewDesk(db: Db, conversationId: string): Promise<void> {
  return run(db)`
    insert into push_due (conversation_id, to_owner, seq, due_at)
    select c.id, true, unseen.seq, now() + make_interval(secs => ${PUSH_AFTER_MS / 1_000}::double precision)
    from conversations c
    cross join lateral (
      select m.seq from messages m
      where m.conversation_id = c.id and m.seq > c.owner_seen and not m.from_owner
      order by m.seq desc limit 1
    ) unseen
    where c.id = ${conversationId} and c.status = 'open'
      and exists (
        select from desk_staff d join push_subscriptions s on s.staff_id = d.staff_id where d.alias = c.handler_alias
      )
    on conflict (conversation_id, to_owner) do update
    set seq = excluded.seq, due_at = excluded.due_at, pushed_at = null`;
}
