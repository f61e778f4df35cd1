import type { QueueRow } from '@settee/protocol/model/conversation';
import { countQueue, newestFirst, type QueueCounts, queuePageSize } from '@settee/protocol/model/queue';
import { isWithin, NO_ACCESS, type Reach } from '../access/access.store.ts';
import { profileOf } from '../platform/db/profileOf.ts';
import { type Db, first, fromMillis, millis, one, rows, sql } from '../platform/db/query.ts';

/** End of the snooze; null if not snoozed or if the visitor has written since. */
const SNOOZED_UNTIL = sql`case when c.snoozed_until is not null and not exists (
    select from messages m where c.last_seq > c.snoozed_seq
      and m.conversation_id = c.id and m.seq > c.snoozed_seq and not m.from_owner
  ) then ${millis('c.snoozed_until')} end`;

/** First name of the staff member who wrote the newest message; null for a visitor's. Only for staff. */
const LAST_AUTHOR = sql`case when c.preview_from_owner then (
    select split_part(s.name, ' ', 1) from messages m join staff s on s.id = m.author_id
    where m.conversation_id = c.id and m.seq = c.last_seq
  ) end`;

export const QUEUE_COLUMNS = sql`c.id as "conversationId", c.visitor_id as "visitorId", c.visitor_name as "visitorName",
  ${millis('c.last_message_at')} as "lastMessageAt", c.preview as "lastMessage",
  case c.preview_from_owner when true then 'owner' when false then 'visitor' end as "lastSender",
  c.unread, c.last_seq as head, c.rev, c.marked_unread as "markedUnread",
  ${millis('c.waiting_since')} as "waitingSince",
  ${LAST_AUTHOR} as "lastAuthor", ${SNOOZED_UNTIL} as "snoozedUntil", ${NO_ACCESS}`;

/** The alias's open conversations, newest message first. Few rows, so no index is needed. */
export function readQueue(db: Db, alias: string, limit: number | null = null): Promise<QueueRow[]> {
  return rows<QueueRow>(db, 'queue')`
    select ${QUEUE_COLUMNS} from conversations c
    where c.handler_alias = ${alias} and c.status = 'open'
    order by c.last_message_at desc, c.id limit ${limit}`;
}

/** The same of several desks, at most `limit` of each. */
function readQueues(db: Db, aliases: readonly string[], limit: number | null): Promise<QueueRow[]> {
  return rows<QueueRow>(db, 'queues')`
    select d.alias, q.* from unnest(${aliases}::text[]) as d (alias) cross join lateral (
      select ${QUEUE_COLUMNS} from conversations c
      where c.handler_alias = d.alias and c.status = 'open'
      order by c.last_message_at desc, c.id limit ${limit}
    ) q order by q."lastMessageAt" desc, q."conversationId"`;
}

/** The newest `limit` conversations; of several desks, as many of each as a console gets. If there are more, the counts of all. */
export async function readQueuePart(
  db: Db,
  aliases: readonly string[],
  { limit, now }: { limit: number | undefined; now: number },
): Promise<{ rows: QueueRow[]; counts?: QueueCounts }> {
  const [alias] = aliases;
  if (alias === undefined) return { rows: [] };
  const size = limit && queuePageSize(aliases.length, limit);
  const most = size === undefined ? null : size + 1;
  const found = await (aliases.length === 1 ? readQueue(db, alias, most) : readQueues(db, aliases, most));
  const pages = [...Map.groupBy(found, (row) => row.alias).values()].map((page) => page.slice(0, size));
  const shown = pages.flat().toSorted(newestFirst);
  if (shown.length === found.length) return { rows: found };
  const all = await rows<Parameters<typeof countQueue>[0][number]>(db, 'queue-counts')`
    select c.id as "conversationId", c.unread, c.marked_unread as "markedUnread",
      ${millis('c.waiting_since')} as "waitingSince",
      ${SNOOZED_UNTIL} as "snoozedUntil"
    from conversations c where c.handler_alias = any (${aliases}) and c.status = 'open'`;
  const settings = await one<{ waitingMinutes: number }>(db)`
    select b.waiting_minutes as "waitingMinutes" from (select ${alias}::text as alias) desk
    ${profileOf(sql`desk.alias`)}`;
  return { rows: shown, counts: countQueue(all, now, settings) };
}

/** Which of these conversations are in the alias's queue, as rows. */
export function readQueueRows(db: Db, alias: string, ids: string[]): Promise<QueueRow[]> {
  return rows<QueueRow>(db, 'queue-rows')`
    select ${QUEUE_COLUMNS} from conversations c
    where c.handler_alias = ${alias} and c.status = 'open' and c.id = any (${ids})`;
}

/** Marking as unread and snoozing change neither `head` nor `rev`. */
export type QueueHead = {
  alias: string;
  id: string;
  head: number;
  rev: number;
  markedUnread: boolean;
  snoozedUntil: number | null;
};

/** Heads of all open conversations of these desks, for the sweep. */
export function readQueueHeads(db: Db, aliases: string[]): Promise<QueueHead[]> {
  return rows<QueueHead>(db, 'queue-heads')`
    select c.handler_alias as alias, c.id, c.last_seq as head, c.rev, c.marked_unread as "markedUnread",
      ${SNOOZED_UNTIL} as "snoozedUntil"
    from conversations c
    where c.handler_alias = any (${aliases}) and c.status = 'open'`;
}

/** Snoozes an open conversation; null ends the snooze. Undefined if it is not open or at another desk. */
export function snooze(
  db: Db,
  { conversationId, reach, until }: { conversationId: string; reach: Reach; until: number | null },
): Promise<{ handlerAlias: string } | undefined> {
  return first<{ handlerAlias: string }>(db)`
    update conversations c set snoozed_until = ${fromMillis(until)},
      snoozed_seq = case when ${until}::float8 is not null then c.last_seq end
    where c.id = ${conversationId} and ${isWithin(reach, sql`c.handler_alias`)} and c.status = 'open'
    returning c.handler_alias as "handlerAlias"`;
}
