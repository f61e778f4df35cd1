import { CLOSED_PAGE, type ClosedRow } from '@settee/protocol/model/conversation';
import type * as real from '../../../../server/src/db/conversation/closed.ts';
import { modelled } from '../modelDatabase.ts';
import { queueRow } from './queue.ts';

export * from '../../../../server/src/db/conversation/closed.ts';

export const readClosed: typeof real.readClosed = modelled('readClosed', (state, alias, after) => {
  const at = after?.at.getTime() ?? Number.POSITIVE_INFINITY;
  const all = state.conversations
    .where(({ handlerAlias, status }) => handlerAlias === alias && status !== 'open')
    .map(
      (found) =>
        ({ ...queueRow(state, found), status: found.status, closedAt: found.closedAt ?? 0 }) as ClosedRow,
    )
    .filter((row) => row.closedAt < at || (row.closedAt === at && row.conversationId > (after?.id ?? '')))
    .sort((a, b) => b.closedAt - a.closedAt || (a.conversationId < b.conversationId ? -1 : 1));
  const rows = all.slice(0, CLOSED_PAGE);
  const last = rows.at(-1);
  return {
    rows,
    next: all.length > CLOSED_PAGE && last ? `${last.closedAt}_${last.conversationId}` : null,
  };
});

export const readDeleted: typeof real.readDeleted = modelled(
  'readDeleted',
  (state, { alias, before, since }) =>
    state.deleted
      .where(
        ({ handlerAlias, deletedAt }) =>
          (alias === null || alias === handlerAlias) &&
          (before === undefined || deletedAt < before.getTime()) &&
          (since === undefined || deletedAt >= since.getTime()),
      )
      .sort((a, b) => b.deletedAt - a.deletedAt || (a.conversationId < b.conversationId ? -1 : 1)),
);
