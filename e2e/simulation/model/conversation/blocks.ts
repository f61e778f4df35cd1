import type * as real from '../../../../server/src/db/conversation/blocks.ts';
import { insertAudit } from '../audit/audit.ts';
import { modelled } from '../modelDatabase.ts';

const HOUR_MS = 3_600_000;

export const writeBlock: typeof real.writeBlock = modelled(
  'writeBlock',
  (state, conversationId, { reason = '', hours = null }) => {
    const until = hours === null ? null : state.now() + hours * HOUR_MS;
    state.blocks.set(conversationId, { conversationId, reason, until });
    return until === null ? null : new Date(until);
  },
);

export const removeBlock: typeof real.removeBlock = modelled('removeBlock', ({ blocks }, conversationId) =>
  blocks.delete(conversationId),
);

export const findBlock: typeof real.findBlock = modelled('findBlock', ({ blocks }, conversationId) => {
  const block = blocks.get(conversationId);
  return block === undefined ? null : { reason: block.reason, until: block.until };
});

export const readDueBlocks: typeof real.readDueBlocks = modelled('readDueBlocks', (state, limit) =>
  state.blocks
    .where(({ until }) => until !== null && until <= state.now())
    .sort((a, b) => (a.until ?? 0) - (b.until ?? 0))
    .map(({ conversationId }) => conversationId)
    .slice(0, limit),
);

export const endDueBlock: typeof real.endDueBlock = modelled('endDueBlock', (state, conversationId) => {
  const { until = null } = state.blocks.get(conversationId) ?? {};
  if (until === null || until > state.now()) return false;
  state.blocks.delete(conversationId);
  const found = state.conversations.get(conversationId);
  if (found?.status === 'blocked')
    state.conversations.update(conversationId, { status: 'open', closedAt: null, rev: found.rev + 1 });
  return true;
});

export const auditBlockEnd: typeof real.auditBlockEnd = (db, conversationId) =>
  insertAudit(db, { actor: 'system', action: 'conversation.open', target: conversationId });
