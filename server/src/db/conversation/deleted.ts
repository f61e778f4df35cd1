import type { DeletedRow } from '@settee/protocol/model/conversation';
import type { Database } from '../engine/database.ts';

/** No page of a list should grow without end; the oldest of so many are left out. */
const DELETED_MAX = 500;

/**
 * What is left of deleted conversations, newest first, of one desk or of all. `before` and `since` are the ends of a page
 * of the list that they stand in: each entry belongs to one page.
 */
export async function readDeleted(
  db: Database,
  { alias, before, since }: { alias: string | null; before: Date | undefined; since: Date | undefined },
): Promise<DeletedRow[]> {
  const { rows } = await db.pool.query<DeletedRow>(
    `select d.conversation_id as "conversationId", d.handler_alias as "handlerAlias", d.deleted_by as by,
       floor(extract(epoch from d.deleted_at) * 1000)::float8 as "deletedAt"
     from deleted_conversations d
     where ($1::text is null or d.handler_alias = $1) and d.deleted_at < $2 and d.deleted_at >= $3
     order by d.deleted_at desc, d.conversation_id limit ${DELETED_MAX}`,
    [alias, before ?? 'infinity', since ?? '-infinity'],
  );
  return rows;
}
