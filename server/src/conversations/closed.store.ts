import { CLOSED_PAGE, type ClosedRow, type DeletedRow } from '@settee/protocol/model/conversation';
import { type Db, millis, rows, sql } from '../platform/db/query.ts';
import { QUEUE_COLUMNS } from './queue.store.ts';

/** Pages are cut at milliseconds. Written exactly as in the index. */
const CLOSED_AT = sql`c.closed_at::timestamptz(3)`;

/** One page of an alias's closed and blocked conversations, newest first. */
export async function readClosed(
  db: Db,
  alias: string,
  after: { at: Date; id: string } | undefined,
): Promise<{ rows: ClosedRow[]; next: string | null }> {
  const at = after?.at ?? 'infinity';
  const found = await rows<ClosedRow>(db)`
    select ${QUEUE_COLUMNS}, c.status, ${millis(CLOSED_AT.text)} as "closedAt"
    from conversations c
    where c.handler_alias = ${alias} and c.status <> 'open' and ${CLOSED_AT} <= ${at}
      and (${CLOSED_AT} < ${at} or c.id > ${after?.id})
    order by ${CLOSED_AT} desc, c.id
    limit ${CLOSED_PAGE + 1}`;
  const page = found.slice(0, CLOSED_PAGE);
  const last = page.at(-1);
  return {
    rows: page,
    next: found.length > CLOSED_PAGE && last ? `${last.closedAt}_${last.conversationId}` : null,
  };
}

/** Maximum entries per page of the list. */
const DELETED_MAX = 500;

/**
 * Deleted conversations of one desk or of all, newest first. `before` and `since` bound the page that they are shown
 * on.
 */
export function readDeleted(
  db: Db,
  { alias, before, since }: { alias: string | null; before: Date | undefined; since: Date | undefined },
): Promise<DeletedRow[]> {
  return rows<DeletedRow>(db)`
    select d.conversation_id as "conversationId", d.handler_alias as "handlerAlias", d.deleted_by as by,
      ${millis('d.deleted_at')} as "deletedAt"
    from deleted_conversations d
    where (${alias}::text is null or d.handler_alias = ${alias})
      and d.deleted_at < ${before ?? 'infinity'} and d.deleted_at >= ${since ?? '-infinity'}
    order by d.deleted_at desc, d.conversation_id limit ${DELETED_MAX}`;
}
