import { nextCode } from '../access/codes.ts';
import type { App } from '../platform/app.ts';
import { hashInviteToken } from '../platform/auth/inviteToken.ts';
import { Refusal } from '../platform/auth/refusal.ts';
import type { Visitor } from '../platform/ports/caller.ts';
import type { VisitorSecret } from '../visitors/visitorCookie.ts';
import { createCode, readWorkingCode } from './continueCode.ts';
import { attachDevice, findOwnDevice, requireLive, requirePlace } from './inviteDevice.ts';
import { bindInvite, findInvite, type InviteForVisitor, markInviteSeen } from './invites.store.ts';

/** The visitor pressed Start chat. Only this changes NEW to SEEN; opening the link does not. */
export async function seeInvite(app: App, token: string): Promise<void> {
  const tokenHash = hashInviteToken(token);
  const invite = requireLive(tokenHash && (await findInvite(app.db, tokenHash)));
  if (invite.expired) throw new Refusal('invite_expired');
  if (invite.state !== 'NEW') return;
  await markInviteSeen(app.db, invite.inviteId);
  app.announce.managementChanged('invites');
}

type ClaimResult = {
  conversationId: string;
  /** Null for an attached device: only the first device shows the code. */
  continueCode: string | null;
  /** The visitor's new secret, if it changed. */
  secret?: VisitorSecret;
};

/** Binds the invite to a new conversation. Safe to repeat: the same visitor gets the same conversation. */
export async function claimInvite(
  app: App,
  visitor: Visitor,
  { token, browser }: { token: string; browser: string },
): Promise<ClaimResult> {
  // Read without a lock first: when many race for one invite, nearly all are answered here.
  const place = await requirePlace(app.db, token, visitor);
  if (place.state === 'BOUND') return claimAgain(app, visitor, place);
  if (place.expired) throw new Refusal('invite_expired');

  const { inviteId } = place;
  const { code, ...stored } = nextCode(app, inviteId, { codeHash: null, codeNumber: 0 });
  const bound = await app.db.transaction(async (db) => {
    const conversation = await bindInvite(db, { inviteId, visitorId: visitor.visitorId, ...stored });
    if (conversation === undefined) return undefined;
    const { conversationId } = conversation;
    const secret = await attachDevice(app, db, visitor, { inviteId, conversationId, first: true, browser });
    return { ...conversation, secret };
  });
  // Someone else claimed it between the read and the lock.
  if (bound === undefined) return claimAgain(app, visitor, await requirePlace(app.db, token, visitor));

  const { conversationId, handlerAlias, secret } = bound;
  app.announce.conversationChanged({ id: conversationId, handlerAlias });
  app.announce.managementChanged('invites');
  return { conversationId, continueCode: code, secret };
}

/** The first device gets a working code, even if it lost the previous answer. */
async function claimAgain(app: App, visitor: Visitor, place: InviteForVisitor): Promise<ClaimResult> {
  const held = findOwnDevice(app, visitor, place);
  if (held === undefined) throw new Refusal('invite_bound');
  const { first, ...rest } = held;
  if (!first) return { ...rest, continueCode: null };
  const { inviteId } = place;
  const working = await readWorkingCode(app, app.db, inviteId);
  if (working !== null) return { ...rest, continueCode: working };
  const { code, conversation } = await app.db.transaction((db) => createCode(app, db, inviteId));
  if (conversation !== undefined) app.announce.conversationChanged(conversation);
  return { ...rest, continueCode: code };
}
