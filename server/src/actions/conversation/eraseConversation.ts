import type { EraseReason } from '@settee/protocol/calls/eraseCalls';
import { rightsTexts } from '@settee/protocol/texts/rightsTexts';
import { accessTo } from '../../access.ts';
import type { App } from '../../app.ts';
import { Refusal } from '../../auth/refusal.ts';
import type { Staff, Visitor } from '../../caller.ts';
import { type AuditDetails, insertAudit } from '../../db/audit/audit.ts';
import { type ErasedBy, eraseRows, wasErasedFor } from '../../db/conversation/erasure.ts';

/**
 * Erases at the visitor's request, from any of their devices. Succeeds also if another device did it first, or if this
 * one lost the answer and retries.
 */
export async function eraseOwn(app: App, visitor: Visitor, conversationId: string): Promise<void> {
  if (await wasErasedFor(app.db, conversationId, visitor)) return;
  await accessTo(app, visitor, conversationId);
  // The audit log is permanent, so it must not hold the visitor's id.
  if (await erase(app, conversationId, 'visitor', { actor: 'visitor' })) return;
  // Another device of this visitor was faster.
  if (await wasErasedFor(app.db, conversationId, visitor)) return;
  // Also for a blocked conversation; the visitor must not learn about the block.
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

/** Returns false if there is no conversation that this side may erase. */
async function erase(
  app: App,
  conversationId: string,
  by: ErasedBy,
  entry: { actor: string; details?: AuditDetails },
): Promise<boolean> {
  const erased = await app.db.transaction(async (db) => {
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
