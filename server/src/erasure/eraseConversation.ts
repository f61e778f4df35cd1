import type { EraseReason } from '@settee/protocol/calls/eraseCalls';
import { rightsTexts } from '@settee/protocol/texts/rightsTexts';
import { accessTo } from '../access/access.ts';
import type { App } from '../platform/app.ts';
import { Refusal } from '../platform/auth/refusal.ts';
import { audited } from '../platform/db/audited.ts';
import type { Caller, Staff, Visitor } from '../platform/ports/caller.ts';
import { eraseRows, wasErasedFor } from './erasure.store.ts';

/**
 * Erases at the visitor's request, from any of their devices. Succeeds also if another device did it first, or if this
 * one lost the answer and retries.
 */
export async function eraseOwn(app: App, visitor: Visitor, conversationId: string): Promise<void> {
  if (await wasErasedFor(app.db, conversationId, visitor)) return;
  await accessTo(app, visitor, conversationId);
  if (await erase(app, visitor, conversationId)) return;
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
  if (!(await erase(app, staff, conversationId, reason))) throw new Refusal('not_found');
}

/** Returns false if there is no conversation that this side may erase. */
async function erase(
  app: App,
  caller: Caller,
  conversationId: string,
  reason?: EraseReason,
): Promise<boolean> {
  const erased = await audited(app, caller, async (db, record) => {
    const gone = await eraseRows(db, conversationId, caller.kind);
    if (gone !== undefined) record('conversation.erase', conversationId, reason && { reason });
    return gone;
  });
  if (erased === undefined) return false;
  app.announce.conversationChanged({ id: conversationId, ...erased });
  return true;
}
