import type { QueueRow } from '@settee/protocol/conversation';
import type { Database } from './database.ts';

export const QUEUE_COLUMNS = `c.id as "conversationId", c.visitor_id as "visitorId", c.visitor_name as "visitorName",
  (extract(epoch from c.last_message_at) * 1000)::float8 as "lastMessageAt", c.preview as "lastMessage",
  case c.preview_from_owner when true then 'owner' when false then 'visitor' end as "lastSender",
  c.unread, c.last_seq as head, c.rev, c.marked_unread as "markedUnread",
  floor(extract(epoch from c.waiting_since) * 1000)::float8 as "waitingSince"`;

export function tidy(row: QueueRow): QueueRow {
  return { ...row, lastMessageAt: Math.floor(row.lastMessageAt) };
}

/** The alias's open conversations, newest message first. Few rows: sorted here, not by an index. */
export async function readQueue(db: Database, alias: string): Promise<QueueRow[]> {
  const { rows } = await db.pool.query<QueueRow>({
    name: 'queue',
    text: `select ${QUEUE_COLUMNS} from conversations c
      where c.handler_alias = $1 and c.status = 'open'
      order by c.last_message_at desc, c.id`,
    values: [alias],
  });
  return rows.map(tidy);
}

/** Those of the given conversations that are in the alias's queue now. */
export async function readQueueRows(db: Database, alias: string, ids: string[]): Promise<QueueRow[]> {
  const { rows } = await db.pool.query<QueueRow>({
    name: 'queue-rows',
    text: `select ${QUEUE_COLUMNS} from conversations c
      where c.handler_alias = $1 and c.status = 'open' and c.id = any($2)`,
    values: [alias, ids],
  });
  return rows.map(tidy);
}

/** A mark as unread moves neither number nor revision. */
export type QueueHead = { alias: string; id: string; head: number; rev: number; markedUnread: boolean };

/** What the sweep compares: every open conversation of these desks, and where it stands. */
export async function readQueueHeads(db: Database, aliases: string[]): Promise<QueueHead[]> {
  const { rows } = await db.pool.query<QueueHead>({
    name: 'queue-heads',
    text: `select c.handler_alias as alias, c.id, c.last_seq as head, c.rev, c.marked_unread as "markedUnread"
      from conversations c
      where c.handler_alias = any($1) and c.status = 'open'`,
    values: [aliases],
  });
  return rows;
}
