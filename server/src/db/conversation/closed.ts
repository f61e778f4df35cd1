import { CLOSED_PAGE, type ClosedRow, type DeletedRow } from '@settee/protocol/model/conversation';
import type { Database } from '../engine/database.ts';
import { QUEUE_COLUMNS, withWholeMs } from './queue.ts';

/** Pages are cut at milliseconds. Written exactly as in the index. */
const CLOSED_AT = 'c.closed_at::timestamptz(3)';

/** One page of an alias's closed and blocked conversations, newest first. */
export async function readClosed(
  db: Database,
  alias: string,
  after: { at: Date; id: string } | undefined,
): Promise<{ rows: ClosedRow[]; next: string | null }> {
  const { rows } = await db.pool.query<ClosedRow>(
    `select ${QUEUE_COLUMNS}, c.status, (extract(epoch from ${CLOSED_AT}) * 1000)::float8 as "closedAt"
     from conversations c
     where c.handler_alias = $1 and c.status <> 'open' and ${CLOSED_AT} <= $2
       and (${CLOSED_AT} < $2 or c.id > $3)
     order by ${CLOSED_AT} desc, c.id
     limit $4`,
    [alias, after?.at ?? 'infinity', after?.id, CLOSED_PAGE + 1],
  );
  const page = rows.slice(0, CLOSED_PAGE).map((row) => ({ ...row, ...withWholeMs(row) }));
  const last = page.at(-1);
  return {
    rows: page,
    next: rows.length > CLOSED_PAGE && last ? `${last.closedAt}_${last.conversationId}` : null,
  };
}

/** Maximum entries per page of the list. */
const DELETED_MAX = 500;

/**
 * Deleted conversations of one desk or of all, newest first. `before` and `since` bound the page that they are shown
 * on.
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
