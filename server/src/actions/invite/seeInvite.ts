import type { App } from '../../app.ts';
import { hashInviteToken } from '../../auth/inviteToken.ts';
import { Refusal } from '../../auth/refusal.ts';
import { findInvite, markInviteSeen } from '../../db/invite/invites.ts';

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
