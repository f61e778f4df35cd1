import type { App } from '../../app.ts';
import { hashInviteToken } from '../../auth/inviteToken.ts';
import { Refusal } from '../../auth/refusal.ts';
import { issuedSecret, nextSecret, type VisitorSecret, visitorOf } from '../../auth/visitorCookie.ts';
import type { Visitor } from '../../caller.ts';
import {
  addDevice,
  findInviteForVisitor,
  type InviteForVisitor,
  isCredentialReplaced,
  lockVisitor,
  replaceCredential,
} from '../../db/conversation/devices.ts';
import type { Database } from '../../db/engine/database.ts';

/** What claiming and attaching have in common: whether the caller holds a place already, and how it gains one. */

type Queries = Database['sql'];

/** The invite with this visitor's place, refused when no chat can be reached through it. */
export async function requireInvite(
  db: Database | Queries,
  token: string,
  visitor: Visitor,
): Promise<InviteForVisitor> {
  const tokenHash = hashInviteToken(token);
  const place = tokenHash && (await findInviteForVisitor(db, tokenHash, visitor.visitorId));
  if (place === undefined) throw new Refusal('invite_not_found');
  if (place.state === 'REVOKED') throw new Refusal('invite_revoked');
  return place;
}

/**
 * The conversation, if the caller has its place there. A browser that lost the answer which gave it
 * the place still shows the credential from before; for a few minutes, and together with the invite
 * link, that is enough to be handed the same secret again.
 */
export function findOwnDevice(app: Pick<App, 'config'>, visitor: Visitor, place: InviteForVisitor) {
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
 * Gives the caller a place, and with it a new secret: all its other places move to that one, and what
 * the old secret signed opens none of them. To be called under the invite's lock, in its transaction.
 */
export async function attachDevice(
  app: Pick<App, 'config'>,
  db: Queries,
  visitor: Visitor,
  gained: { inviteId: string; conversationId: string; first: boolean; browser: string },
): Promise<VisitorSecret> {
  await lockVisitor(db, visitor.visitorId);
  // Another tab was quicker and holds the newer secret. To go on from the older one would cut that tab off.
  if (await isCredentialReplaced(db, visitor)) throw new Refusal('unauthenticated');
  const secret = nextSecret(app, visitor, gained.inviteId);
  const { credential } = visitorOf(secret);
  await replaceCredential(db, visitor, credential);
  const { conversationId, first, browser } = gained;
  await addDevice(db, { conversationId, visitorId: visitor.visitorId, credential, first, browser });
  return secret;
}
