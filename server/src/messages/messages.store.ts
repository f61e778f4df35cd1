import { AUTHORS_MAX, type MessageAuthor } from '@settee/protocol/model/author';
import { MESSAGE_PAGE, type Message } from '@settee/protocol/model/message';
import type { Database } from '../platform/db/database.ts';
import { exactMillis, rows } from '../platform/db/query.ts';
import { MEDIA_COLUMNS, type MediaColumns, messageMedia } from './messageMedia.store.ts';

type Row = [
  seq: number,
  id: string,
  fromOwner: boolean,
  createdMs: number,
  text: string,
  ...media: MediaColumns,
];

const COLUMNS = `m.seq, m.id, m.from_owner, ${exactMillis('m.created_at').text}, m.text, ${MEDIA_COLUMNS}`;
/** Images are joined by key, for the few messages that have one. */
const FROM = 'from messages m left join media f on f.id = m.media_id';

/** One page, oldest first: after a number, before a number, or the newest. */
export async function readMessages(
  db: Database,
  conversationId: string,
  page: { after?: number | undefined; before?: number | undefined; limit?: number | undefined } = {},
): Promise<Message[]> {
  const limit = page.limit ?? MESSAGE_PAGE;
  const forward = page.after !== undefined;
  const found = await db.pool.query({
    name: forward ? 'messages-after' : 'messages-before',
    text: forward
      ? `select ${COLUMNS} ${FROM} where m.conversation_id = $1 and m.seq > $2 order by m.seq limit $3`
      : `select ${COLUMNS} ${FROM} where m.conversation_id = $1 and m.seq < $2 order by m.seq desc limit $3`,
    values: [conversationId, forward ? page.after : (page.before ?? 2_147_483_647), limit],
    rowMode: 'array',
  });
  const messages = (found.rows as Row[]).map(
    ([seq, id, fromOwner, createdMs, text, ...media]): Message => ({
      conversationId,
      seq,
      id,
      sender: fromOwner ? 'owner' : 'visitor',
      text,
      createdAt: Math.round(createdMs),
      ...messageMedia(conversationId, media),
    }),
  );
  return forward ? messages : messages.reverse();
}

/** Those of the messages with these ids that are stored. */
export async function storedOf(
  db: Database,
  conversationId: string,
  ids: readonly string[],
): Promise<string[]> {
  const found = await rows<{ id: string }>(db, 'message-stored')`
    select m.id from messages m where m.conversation_id = ${conversationId} and m.id = any (${ids}::uuid[])`;
  return found.map(({ id }) => id);
}

/** Which staff members wrote these messages. The caller checks that the reader is staff. */
export async function readAuthors(
  db: Database,
  conversationId: string,
  from: number,
  to: number,
): Promise<MessageAuthor[]> {
  const found = await rows<{ seq: number; id: string; name: string }>(db)`
    select m.seq, s.id, s.name from messages m join staff s on s.id = m.author_id
    where m.conversation_id = ${conversationId} and m.from_owner and m.seq between ${from} and ${to}
    order by m.seq desc limit ${AUTHORS_MAX}`;
  return found.map(({ seq, id, name }) => ({ seq, author: { id, name } }));
}
