import type { App } from '../../app.ts';
import { nextCode } from '../../auth/continueCode.ts';
import { hashInviteToken } from '../../auth/inviteToken.ts';
import { Refusal } from '../../auth/refusal.ts';
import type { VisitorSecret } from '../../auth/visitorCookie.ts';
import type { Visitor } from '../../caller.ts';
import type { InviteForVisitor } from '../../db/conversation/devices.ts';
import { bindInvite, findInvite, markInviteSeen } from '../../db/invite/invites.ts';
import { mintCode, readWorkingCode } from './continueCode.ts';
import { attachDevice, findOwnDevice, requireInvite } from './inviteDevice.ts';

/** A person pressed Start chat. Only this makes NEW into SEEN: looking a link up does not. */
export async function seeInvite(app: App, token: string): Promise<void> {
  const tokenHash = hashInviteToken(token);
  const invite = tokenHash && (await findInvite(app.db.sql, tokenHash));
  if (invite === undefined) throw new Refusal('invite_not_found');
  if (invite.state === 'REVOKED') throw new Refusal('invite_revoked');
  if (invite.expired) throw new Refusal('invite_expired');
  if (invite.state !== 'NEW') return;
  await markInviteSeen(app.db.sql, invite.inviteId);
  app.announce.managementChanged('invites');
}

type ClaimResult = {
  conversationId: string;
  /** Null for a device that came by a code: the first one shows the code. */
  continueCode: string | null;
  /** The visitor's new secret, when there is one to keep. */
  secret?: VisitorSecret;
};

/** Binds the invite to a new conversation, once; asked again by the same visitor, gives the same one back. */
export async function claimInvite(
  app: App,
  visitor: Visitor,
  { token, browser }: { token: string; browser: string },
): Promise<ClaimResult> {
  // Without a lock first: of a thousand who race for one invite, nearly all are answered by this read.
  const place = await requireInvite(app.db, token, visitor);
  if (place.state === 'BOUND') return claimAgain(app, visitor, place);
  if (place.expired) throw new Refusal('invite_expired');

  const { inviteId } = place;
  const { code, ...stored } = nextCode(app, inviteId, { codeHash: null, codeNumber: 0 });
  const bound = await app.db.sql.transaction().execute(async (db) => {
    const conversation = await bindInvite(db, { inviteId, visitorId: visitor.visitorId, ...stored });
    if (conversation === undefined) return undefined;
    const { conversationId } = conversation;
    const secret = await attachDevice(app, db, visitor, { inviteId, conversationId, first: true, browser });
    return { ...conversation, secret };
  });
  // Between the read and the lock someone else was quicker.
  if (bound === undefined) return claimAgain(app, visitor, await requireInvite(app.db, token, visitor));

  const { conversationId, handlerAlias, secret } = bound;
  app.announce.conversationChanged({ id: conversationId, handlerAlias });
  app.announce.managementChanged('invites');
  return { conversationId, continueCode: code, secret };
}

/** The first device gets a code that works, whatever became of the answer that held the one before. */
async function claimAgain(app: App, visitor: Visitor, place: InviteForVisitor): Promise<ClaimResult> {
  const held = findOwnDevice(app, visitor, place);
  if (held === undefined) throw new Refusal('invite_bound');
  const { first, ...rest } = held;
  if (!first) return { ...rest, continueCode: null };
  const { inviteId } = place;
  const working = await readWorkingCode(app, app.db.sql, inviteId);
  if (working !== null) return { ...rest, continueCode: working };
  const { code, conversation } = await app.db.sql.transaction().execute((db) => mintCode(app, db, inviteId));
  if (conversation !== undefined) app.announce.conversationChanged(conversation);
  return { ...rest, continueCode: code };
}
