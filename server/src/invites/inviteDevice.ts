import type { InviteState } from '@settee/protocol/model/invite';
import { isCredentialReplaced } from '../access/access.store.ts';
import type { App } from '../platform/app.ts';
import { hashInviteToken } from '../platform/auth/inviteToken.ts';
import { Refusal } from '../platform/auth/refusal.ts';
import type { Database, DbTransaction } from '../platform/db/database.ts';
import type { Visitor } from '../platform/ports/caller.ts';
import { addDevice, lockVisitor, replaceCredential } from '../visitors/devices.store.ts';
import { issuedSecret, nextSecret, type VisitorSecret, visitorOf } from '../visitors/visitorCookie.ts';
import { type LockedInvite, lockManagedInvite } from './inviteChanges.store.ts';
import { findInviteForVisitor, type InviteForVisitor } from './invites.store.ts';

/** Refuses unknown and revoked invites. */
export function requireLive<Invite extends { state: InviteState }>(invite: Invite | undefined): Invite {
  if (invite === undefined) throw new Refusal('invite_not_found');
  if (invite.state === 'REVOKED') throw new Refusal('invite_revoked');
  return invite;
}

/** Locks the invite until the commit. */
export async function requireInvite(db: Database | DbTransaction, id: string): Promise<LockedInvite> {
  return requireLive(await lockManagedInvite(db, id));
}

/** The invite of a link, with this visitor's device. */
export async function requirePlace(
  db: Database | DbTransaction,
  token: string,
  visitor: Visitor,
): Promise<InviteForVisitor> {
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
  db: Database | DbTransaction,
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
