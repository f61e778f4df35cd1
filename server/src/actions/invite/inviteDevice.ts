import type { InviteState } from '@settee/protocol/model/invite';
import type { App } from '../../app.ts';
import { hashInviteToken } from '../../auth/inviteToken.ts';
import { Refusal } from '../../auth/refusal.ts';
import { issuedSecret, nextSecret, type VisitorSecret, visitorOf } from '../../auth/visitorCookie.ts';
import type { Visitor } from '../../caller.ts';
import { isCredentialReplaced } from '../../db/conversation/deviceAccess.ts';
import { addDevice, lockVisitor, replaceCredential } from '../../db/conversation/devices.ts';
import type { Db } from '../../db/engine/query.ts';
import { type LockedInvite, lockManagedInvite } from '../../db/invite/inviteChanges.ts';
import { findInviteForVisitor, type InviteForVisitor } from '../../db/invite/inviteForVisitor.ts';

/** Refuses unknown and revoked invites. */
export function requireLive<Invite extends { state: InviteState }>(invite: Invite | undefined): Invite {
  if (invite === undefined) throw new Refusal('invite_not_found');
  if (invite.state === 'REVOKED') throw new Refusal('invite_revoked');
  return invite;
}

/** Locks the invite until the commit. */
export async function requireInvite(db: Db, id: string): Promise<LockedInvite> {
  return requireLive(await lockManagedInvite(db, id));
}

/** The invite of a link, with this visitor's device. */
export async function requirePlace(db: Db, token: string, visitor: Visitor): Promise<InviteForVisitor> {
  const tokenHash = hashInviteToken(token);
  return requireLive(tokenHash && (await findInviteForVisitor(db, tokenHash, visitor.visitorId)));
}

/**
 * The conversation, if the caller has a device there. A browser that lost the answer to a claim still sends its old
 * credential. For a few minutes, that and the invite link are enough to get the same secret again.
 */
export function findOwnDevice(app: App, visitor: Visitor, place: InviteForVisitor) {
  const { conversationId, credential } = place;
  if (conversationId === null || credential === null) return undefined;
  const first = place.first === true;
  if (credential.equals(visitor.credential)) return { conversationId, first };
  if (place.attachedJustNow !== true) return undefined;
  const next = issuedSecret(app, visitor, place.inviteId, credential);
  if (next === undefined) return undefined;
  return { conversationId, first, secret: next };
}

/**
 * Attaches the caller's device and gives it a new secret. The visitor's other devices get the new credential, and the
 * old one stops working. Call it under the invite's lock, in its transaction.
 */
export async function attachDevice(
  app: App,
  db: Db,
  visitor: Visitor,
  gained: { inviteId: string; conversationId: string; first: boolean; browser: string },
): Promise<VisitorSecret> {
  await lockVisitor(db, visitor.visitorId);
  // Another tab already has a newer secret. Continuing with the old one would sign that tab out.
  if (await isCredentialReplaced(db, visitor)) throw new Refusal('unauthenticated');
  const secret = nextSecret(app, visitor, gained.inviteId);
  const { credential } = visitorOf(secret);
  await replaceCredential(db, visitor, credential);
  const { conversationId, first, browser } = gained;
  await addDevice(db, { conversationId, visitorId: visitor.visitorId, credential, first, browser });
  return secret;
}
