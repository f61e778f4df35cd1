import { errorTexts } from '@settee/protocol/texts/errorTexts';
import { inviteAdminTexts } from '@settee/protocol/texts/inviteAdminTexts';
import { accessTo } from '../access/access.ts';
import { currentCode, nextCode } from '../access/codes.ts';
import type { App } from '../platform/app.ts';
import { clearLinkCodes } from '../platform/auth/rateLimits.ts';
import { Refusal } from '../platform/auth/refusal.ts';
import { audited } from '../platform/db/audited.ts';
import type { Database, DbTransaction } from '../platform/db/database.ts';
import type { Caller, Staff } from '../platform/ports/caller.ts';
import { touchConversation } from '../visitors/devices.store.ts';
import { requireInvite } from './inviteDevice.ts';
import { forgetLinkFailures, lockInvite, readCode, setCode } from './invites.store.ts';

type Configured = Pick<App, 'config'>;

/**
 * Creates a new code and resets the failure count; the old code stops working. Increments the conversation's revision
 * so that the first device sees the new code. Call it in a transaction. Returns what to announce after the commit.
 */
export async function createCode(app: Configured, db: Database | DbTransaction, inviteId: string) {
  await lockInvite(db, inviteId);
  const { code, ...stored } = nextCode(app, inviteId, await readCode(db, inviteId));
  await setCode(db, inviteId, stored);
  return { code, conversation: await touchConversation(db, inviteId) };
}

/** The code that works now; null if it is locked, void or unknown. */
export async function readWorkingCode(
  app: Configured,
  db: Database | DbTransaction,
  inviteId: string,
): Promise<string | null> {
  const { codeHash, codeNumber, lockedSeconds, void: isVoid } = await readCode(db, inviteId);
  return lockedSeconds > 0 || isVoid || codeHash === null
    ? null
    : currentCode(app, inviteId, { codeHash, codeNumber });
}

/** A new code, for the first device or for staff at that desk. */
export async function renewCode(app: App, caller: Caller, conversationId: string): Promise<string> {
  const { conversation, isFirstDevice } = await accessTo(app, caller, conversationId);
  // Otherwise an attached device could admit others.
  if (caller.kind === 'visitor' && !isFirstDevice) {
    throw new Refusal('access_denied', errorTexts.codeOfFirst);
  }
  const { code } = await audited(app, caller, async (db, record) => {
    const created = await createCode(app, db, conversation.inviteId);
    if (caller.kind === 'visitor') {
      // Whoever has the link may have talked the visitor into all these codes. A new one would not work either, also later.
      if ((await readCode(db, conversation.inviteId)).isSpent)
        throw new Refusal('access_denied', errorTexts.linkSpent);
    } else {
      await forgetLinkFailures(db, conversation.inviteId);
      record('code.renew', conversationId);
    }
    return created;
  });
  app.announce.conversationChanged(conversation);
  return code;
}

/** A new code that an administrator gives to the visitor. */
export async function resetCode(app: App, staff: Staff, inviteId: string): Promise<string> {
  const { code, conversation } = await audited(app, staff, async (db, record) => {
    const { state } = await requireInvite(db, inviteId);
    if (state !== 'BOUND') throw new Refusal('bad_request', inviteAdminTexts.notStarted);
    const created = await createCode(app, db, inviteId);
    await forgetLinkFailures(db, inviteId);
    record('invite.resetCode', inviteId);
    return created;
  });
  await clearLinkCodes(app, inviteId);
  if (conversation !== undefined) app.announce.conversationChanged(conversation);
  return code;
}
