import type { ConversationStatus } from '@settee/protocol/model/conversation';
import { isWithin, type Reach } from '../access/access.store.ts';
import type { Database } from '../platform/db/database.ts';
import { column, type Db, first, run, sql, value } from '../platform/db/query.ts';
import { recordEvent } from '../webhooks/webhookEvents.store.ts';
import { markEnded } from './searchDue.store.ts';

export function findClosed(db: Db, ids: string[]): Promise<string[]> {
  return column<string>(db)`
    select c.id from conversations c where c.id = any (${ids}) and c.status = 'closed'`;
}

type Reader = { conversationId: string; side: 'visitor' | 'owner'; reach: Reach };
type Seen<Alias> = { handlerAlias: Alias; moved: boolean };

/** Moves the visitor's seen mark forward, at most to the newest message. */
function markSeenByVisitor(db: Db, { conversationId }: Reader, seq: number) {
  return first<Seen<string>>(db, 'seen-by-visitor')`
    update conversations c
    set visitor_seen = least(${seq}, c.last_seq), visitor_seen_at = now(), rev = c.rev + 1
    where c.id = ${conversationId} and c.visitor_seen < least(${seq}, c.last_seq)
    returning c.handler_alias as "handlerAlias", true as moved`;
}

/**
 * The same for staff, and removes the unread mark. Removing only the mark keeps `rev`, which visitors see. One step if
 * everything is seen, as almost always; otherwise `handlerAlias` is null and nothing changes: see markPartlySeen.
 */
function markSeenByOwner(db: Db, { conversationId, reach }: Reader, seq: number) {
  return first<Seen<string | null>>(db, 'seen-by-owner')`
    with here as (
      select c.id, c.owner_seen < least(${seq}, c.last_seq) as moves, ${seq} >= c.last_seq as all_seen
      from conversations c
      where c.id = ${conversationId} and (c.owner_seen < least(${seq}, c.last_seq) or c.marked_unread)
        and ${isWithin(reach, sql`c.handler_alias`)}
      for update
    ), marked as (
      update conversations c set marked_unread = false,
        owner_seen = greatest(c.owner_seen, least(${seq}, c.last_seq)),
        owner_seen_at = case when here.moves then now() else c.owner_seen_at end,
        rev = c.rev + here.moves::integer,
        unread = case when here.moves then 0 else c.unread end
      from here where c.id = here.id and (here.all_seen or not here.moves)
      returning c.handler_alias
    )
    select here.moves as moved, marked.handler_alias as "handlerAlias" from here left join marked on true`;
}

/**
 * Unread counts the visitor's messages above the mark. The row is locked before: a statement that waited for the lock
 * would miss messages stored meanwhile. Also, PostgreSQL 18.4 crashes when it rechecks a changed row with a
 * partitioned table.
 */
function markPartlySeen(db: Database, { conversationId, reach }: Reader, seq: number) {
  return db.transaction(async (step): Promise<Seen<string> | undefined> => {
    const handlerAlias = await value<string>(step)`
      select handler_alias from conversations
      where id = ${conversationId} and owner_seen < ${seq} and ${isWithin(reach, sql`handler_alias`)}
      for update`;
    if (handlerAlias === undefined) return undefined;
    await run(step)`
      update conversations c set marked_unread = false, owner_seen = ${seq}, owner_seen_at = now(), rev = c.rev + 1,
        unread = (select count(*)::integer from messages m
          where m.conversation_id = c.id and m.seq > ${seq} and not m.from_owner)
      where c.id = ${conversationId}`;
    return { handlerAlias, moved: true };
  });
}

/** Undefined if nothing changed; `moved` if the mark did, which the other side sees. */
export async function markSeen(db: Database, reader: Reader, seq: number): Promise<Seen<string> | undefined> {
  if (reader.side === 'visitor') return markSeenByVisitor(db, reader, seq);
  const marked = await markSeenByOwner(db, reader, seq);
  if (marked === undefined) return undefined;
  const { handlerAlias, moved } = marked;
  return handlerAlias === null ? markPartlySeen(db, reader, seq) : { handlerAlias, moved };
}

/** Only open conversations are in the queue. Undefined if it is not open or at another desk. */
export function markUnread(
  db: Db,
  { conversationId, reach, unread }: { conversationId: string; reach: Reach; unread: boolean },
): Promise<{ handlerAlias: string } | undefined> {
  return first<{ handlerAlias: string }>(db)`
    update conversations c set marked_unread = ${unread}
    where c.id = ${conversationId} and ${isWithin(reach, sql`c.handler_alias`)} and c.status = 'open'
    returning c.handler_alias as "handlerAlias"`;
}

/**
 * Sets the status and returns the previous one; undefined if it is at another desk or its status is not `from`.
 * Without `from` a block is kept.
 */
export function updateStatus(
  db: Db,
  change: {
    conversationId: string;
    reach: Reach;
    status: ConversationStatus;
    from?: ConversationStatus | undefined;
  },
): Promise<{ handlerAlias: string; before: ConversationStatus } | undefined> {
  const { conversationId, reach, status, from = null } = change;
  return first<{ handlerAlias: string; before: ConversationStatus }>(db)`
    with here as (
      select c.id, c.status from conversations c
      where c.id = ${conversationId} and ${isWithin(reach, sql`c.handler_alias`)}
      for no key update
    ), changed as (
      update conversations c
      set status = ${status},
        closed_at = case when ${status} = 'open' then null when here.status = ${status} then c.closed_at
          else date_trunc('milliseconds', now()) end,
        marked_unread = c.marked_unread and ${status} = 'open', snoozed_until = null, snoozed_seq = null,
        rev = c.rev + 1
      from here
      where c.id = here.id
        and case when ${from}::text is null then here.status <> 'blocked' or ${status} = 'blocked'
          else here.status = ${from} end
      returning c.id, c.id as conversation_id, c.invite_id, c.handler_alias, c.status, here.status as before
    ), marked as (${markEnded(sql`changed`)}),
    recorded as (
      ${recordEvent('conversation.closed', sql`changed`, sql`s.status = 'closed' and s.before <> 'closed'`)}
    )
    select handler_alias as "handlerAlias", before from changed`;
}
