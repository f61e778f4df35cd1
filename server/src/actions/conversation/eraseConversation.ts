import type { EraseReason } from '@settee/protocol/calls/eraseCalls';
import { rightsTexts } from '@settee/protocol/texts/rightsTexts';
import { accessTo } from '../../access.ts';
import type { App } from '../../app.ts';
import { allowErasure } from '../../auth/rateLimits.ts';
import { Refusal } from '../../auth/refusal.ts';
import type { Staff, Visitor } from '../../caller.ts';
import { insertAudit } from '../../db/audit/audit.ts';
import { type ErasedBy, eraseRows, wasErasedFor } from '../../db/conversation/erasure.ts';

/**
 * A visitor's own wish; from any device that has a place there. It is also granted when another device was quicker, or
 * when this one lost the answer and asks again.
 */
export async function eraseOwn(app: App, visitor: Visitor, conversationId: string): Promise<void> {
  await allowErasure(app, visitor.visitorId);
  if (await wasErasedFor(app.db.sql, conversationId, visitor)) return;
  await accessTo(app, visitor, conversationId);
  // Not the visitor's id: the log would keep it for ever.
  if (await erase(app, conversationId, 'visitor', { actor: 'visitor' })) return;
  // Another device of this visitor was quicker.
  if (await wasErasedFor(app.db.sql, conversationId, visitor)) return;
  // Also when the conversation is blocked, which a visitor is not told.
  throw new Refusal('access_denied', rightsTexts.eraseRefused);
}

export async function eraseConversation(
  app: App,
  staff: Staff,
  conversationId: string,
  reason: EraseReason | undefined,
): Promise<void> {
  const details = reason === undefined ? {} : { reason };
  if (!(await erase(app, conversationId, 'staff', { actor: staff.staffId, details }))) {
    throw new Refusal('not_found');
  }
}

/** Answers whether there was one that this side may erase. */
async function erase(
  app: App,
  conversationId: string,
  by: ErasedBy,
  entry: { actor: string; details?: Record<string, unknown> },
): Promise<boolean> {
  const erased = await app.db.sql.transaction().execute(async (db) => {
    const gone = await eraseRows(db, conversationId, by);
    if (gone === undefined) return undefined;
    await insertAudit(db, { action: 'conversation.erase', target: conversationId, ...entry });
    return gone;
  });
  if (erased === undefined) return false;
  app.announce.conversationChanged({ id: conversationId, ...erased });
  app.announce.managementChanged('invites', 'audit');
  return true;
}
