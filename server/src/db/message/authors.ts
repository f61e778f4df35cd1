import { AUTHORS_MAX, type MessageAuthor } from '@settee/protocol/model/author';
import type { Database } from '../engine/database.ts';

/** Who of the staff wrote the messages with these numbers. Whoever calls has looked whether the reader is staff. */
export async function readAuthors(
  db: Database,
  conversationId: string,
  from: number,
  to: number,
): Promise<MessageAuthor[]> {
  const { rows } = await db.pool.query<{ seq: number; id: string; name: string }>(
    `select m.seq, s.id, s.name from messages m join staff s on s.id = m.author_id
     where m.conversation_id = $1 and m.from_owner and m.seq between $2 and $3
     order by m.seq desc limit $4`,
    [conversationId, from, to, AUTHORS_MAX],
  );
  return rows.map(({ seq, id, name }) => ({ seq, author: { id, name } }));
}
