import { CLOSED_PAGE, type ClosedRow, type DeletedRow } from '@settee/protocol/model/conversation';
import { isWithin, type Reach } from '../access/access.store.ts';
import { type Db, millis, rows, sql } from '../platform/db/query.ts';
import { QUEUE_COLUMNS } from './queue.store.ts';

/** Pages are cut at milliseconds. Written exactly as in the index. */
const CLOSED_AT = sql`c.closed_at::timestamptz(3)`;

/** One page of the closed and blocked conversations of these desks, newest first. Each desk is read by `conversations_ended`. */
export async function readClosed(
  db: Db,
  aliases: readonly string[],
  after: { at: Date; id: string } | undefined,
): Promise<{ rows: ClosedRow[]; next: string | null }> {
  const at = after?.at ?? 'infinity';
  const found = await rows<ClosedRow>(db)`
    select ${aliases.length > 1 ? sql`d.alias, ` : sql``}q.* from unnest(${aliases}::text[]) as d (alias)
    cross join lateral (
      select ${QUEUE_COLUMNS}, c.status, ${millis(CLOSED_AT.text)} as "closedAt"
      from conversations c
      where c.handler_alias = d.alias and c.status <> 'open' and ${CLOSED_AT} <= ${at}
        and (${CLOSED_AT} < ${at} or c.id > ${after?.id})
      order by ${CLOSED_AT} desc, c.id
      limit ${CLOSED_PAGE + 1}
    ) q
    order by q."closedAt" desc, q."conversationId"
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
 * Deleted conversations of the desks within reach, newest first. `before` and `since` bound the page that they are shown
 * on.
 */
export function readDeleted(
  db: Db,
  { reach, before, since }: { reach: Reach; before: Date | undefined; since: Date | undefined },
): Promise<DeletedRow[]> {
  return rows<DeletedRow>(db)`
    select d.conversation_id as "conversationId", d.handler_alias as "handlerAlias", d.deleted_by as by,
      ${millis('d.deleted_at')} as "deletedAt"
    from deleted_conversations d
    where ${isWithin(reach, sql`d.handler_alias`)}
      and d.deleted_at < ${before ?? 'infinity'} and d.deleted_at >= ${since ?? '-infinity'}
    order by d.deleted_at desc, d.conversation_id limit ${DELETED_MAX}`;
}
