import type { ErrorCode } from '@settee/protocol/model/errorCodes';
import { errorTexts } from '@settee/protocol/texts/errorTexts';
import { texts } from '@settee/protocol/texts/texts';
import { codeMatches } from '../access/codes.ts';
import type { App } from '../platform/app.ts';
import { allow, allowWithin } from '../platform/auth/rateLimits.ts';
import { Refusal } from '../platform/auth/refusal.ts';
import type { Visitor } from '../platform/ports/caller.ts';
import { touchConversation } from '../visitors/devices.store.ts';
import type { VisitorSecret } from '../visitors/visitorCookie.ts';
import { createCode } from './continueCode.ts';
import { attachDevice, findOwnDevice, requirePlace } from './inviteDevice.ts';
import { countCodeFailure, lockInvite, readCode } from './invites.store.ts';

export type AttachResult = { conversationId: string; secret?: VisitorSecret };

/** Attaches this browser to a conversation that another browser claimed. Returns undefined if a code is needed. */
export async function attachInvite(
  app: App,
  visitor: Visitor,
  attempt: { token: string; code: string; address: string; browser: string },
): Promise<AttachResult | undefined> {
  const place = await requirePlace(app.db, attempt.token, visitor);
  const { inviteId, conversationId, handlerAlias } = place;
  if (conversationId === null) throw new Refusal('bad_request', texts.attachFailed);
  const held = findOwnDevice(app, visitor, place);
  if (held !== undefined) {
    const { first: _, ...attached } = held;
    return attached;
  }
  if (attempt.code === '') return undefined;
  await allow(app, 'codes', attempt.address);

  let codeEnded = false;
  const outcome = await app.db.transaction(async (db): Promise<VisitorSecret | ErrorCode> => {
    await lockInvite(db, inviteId);
    await requirePlace(db, attempt.token, visitor);
    const { codeHash, lockedSeconds, void: isVoid, isSpent } = await readCode(db, inviteId);
    if (lockedSeconds > 0) throw new Refusal('code_locked', undefined, { retryAfter: lockedSeconds });
    if (isSpent) throw new Refusal('code_void', errorTexts.linkSpent);
    if (isVoid || codeHash === null) throw new Refusal('code_void');
    // Only now: a code that is not compared must not use up the day of the right one.
    await allowWithin(db, app, 'linkcodes', inviteId);
    if (!codeMatches(app, { inviteId, codeHash }, attempt.code)) {
      await countCodeFailure(db, inviteId);
      const after = await readCode(db, inviteId);
      // The code no longer works, so the first device must stop showing it.
      codeEnded = after.lockedSeconds > 0 || after.void;
      if (codeEnded) await touchConversation(db, inviteId);
      // Returned instead of thrown: the count must be committed.
      return 'code_invalid';
    }
    // A code works once. The first device gets the next code.
    await createCode(app, db, inviteId);
    const { browser } = attempt;
    return attachDevice(app, db, visitor, { inviteId, conversationId, first: false, browser });
  });
  if (typeof outcome === 'string') {
    if (codeEnded) app.announce.conversationChanged({ id: conversationId, handlerAlias });
    throw new Refusal(outcome);
  }

  app.announce.conversationChanged({ id: conversationId, handlerAlias });
  return { conversationId, secret: outcome };
}
