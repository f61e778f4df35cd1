import type { EraseReason } from '@settee/protocol/eraseCalls';
import { accessTo } from '../access.ts';
import type { App } from '../app.ts';
import type { Staff, Visitor } from '../caller.ts';
import { insertAudit } from '../db/audit.ts';
import { eraseRows, wasErasedFor } from '../db/erasure.ts';
import { allowErasing } from '../db/rateLimits.ts';
import { Refused } from '../refused.ts';

/**
 * A visitor's own wish; from any device that has a place there. It is also granted when another device was quicker, or
 * when this one lost the answer and asks again.
 */
export async function eraseOwn(app: App, visitor: Visitor, conversationId: string): Promise<void> {
  await allowErasing(app, visitor.visitorId);
  if (await wasErasedFor(app.db.sql, conversationId, visitor)) return;
  await accessTo(app, visitor, conversationId);
  // Not the visitor's id: the log would keep it for ever.
  await erase(app, conversationId, { actor: 'visitor' });
}

export async function eraseConversation(
  app: App,
  staff: Staff,
  conversationId: string,
  reason: EraseReason | undefined,
): Promise<void> {
  await erase(app, conversationId, {
    actor: staff.staffId,
    details: reason === undefined ? {} : { reason },
  });
}

async function erase(
  app: App,
  conversationId: string,
  by: { actor: string; details?: Record<string, unknown> },
): Promise<void> {
  const erased = await app.db.sql.transaction().execute(async (db) => {
    const gone = await eraseRows(db, conversationId);
    if (gone === undefined) throw new Refused('not_found');
    await insertAudit(db, { action: 'conversation.erase', target: conversationId, ...by });
    return gone;
  });
  app.announce.conversationChanged({ id: conversationId, ...erased });
  app.announce.managementChanged('invites', 'audit');
}
