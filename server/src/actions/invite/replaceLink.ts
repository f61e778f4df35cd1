import type { MadeLink } from '@settee/protocol/model/managedInvite';
import type { App } from '../../app.ts';
import { newInviteLink } from '../../auth/inviteToken.ts';
import { Refusal } from '../../auth/refusal.ts';
import type { Staff } from '../../caller.ts';
import { insertAudit } from '../../db/audit/audit.ts';
import { lockManagedInvite, setTokenHash } from '../../db/invite/inviteChanges.ts';

/** Another link to the same invite. The one before is as unknown as if it had never been; places stay. */
export async function replaceLink(app: App, staff: Staff, inviteId: string): Promise<MadeLink> {
  const { link, tokenHash } = newInviteLink(app);
  const expiresAt = await app.db.sql.transaction().execute(async (db) => {
    const invite = await lockManagedInvite(db, inviteId);
    if (invite === undefined) throw new Refusal('invite_not_found');
    if (invite.state === 'REVOKED') throw new Refusal('invite_revoked');
    await setTokenHash(db, inviteId, tokenHash);
    await insertAudit(db, { actor: staff.staffId, action: 'invite.replaceLink', target: inviteId });
    return invite.expiresAt;
  });
  app.announce.managementChanged('invites', 'audit');
  return { id: inviteId, link, expiresAt: expiresAt.getTime() };
}
