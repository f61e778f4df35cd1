import type { Down } from '@settee/protocol/frames/down';
import type { QueueRow } from '@settee/protocol/model/conversation';
import { changeQueue } from '../../web/src/handler/queue/queue.ts';
import { query } from './database.ts';
import { hashText, type QueueLine } from './history.ts';

/** The rows that a console shows after this frame. */
export function shownQueue(rows: readonly QueueRow[], frame: Down): readonly QueueRow[] {
  if (frame.type === 'queue') return frame.rows;
  return frame.type === 'queueChange' ? changeQueue(rows, frame) : rows;
}

export function queueLines(rows: readonly QueueRow[]): QueueLine[] {
  return sorted(
    rows.map(({ conversationId, head, unread, waitingSince, lastMessage }) => [
      conversationId,
      head,
      unread,
      waitingSince,
      hashText(lastMessage),
    ]),
  );
}

/** From the messages themselves, as far as possible: a row of the table may be as wrong as one of a console. */
export async function readQueueLines(databaseUrl: string, alias: string): Promise<QueueLine[]> {
  const rows = await query(
    databaseUrl,
    `select c.id, c.last_seq, (
       select count(*)::integer from messages m
       where m.conversation_id = c.id and not m.from_owner and m.seq > c.owner_seen
     ), (
       select round(extract(epoch from min(m.created_at)) * 1000)::float8 from messages m
       where m.conversation_id = c.id and not m.from_owner and m.seq > coalesce(
         (select max(r.seq) from messages r where r.conversation_id = c.id and r.from_owner), 0)
     ), coalesce((
       select left(m.text, 140) from messages m where m.conversation_id = c.id and m.seq = c.last_seq
     ), '')
     from conversations c where c.handler_alias = $1 and c.status = 'open'`,
    [alias],
  );
  return sorted(
    (rows as [string, number, number, number | null, string][]).map(
      ([id, head, unread, waitingSince, preview]): QueueLine => [
        id,
        head,
        unread,
        waitingSince,
        hashText(preview),
      ],
    ),
  );
}

function sorted(lines: QueueLine[]): QueueLine[] {
  return lines.toSorted(([a], [b]) => (a < b ? -1 : 1));
}
