import type { App } from '../../app.ts';
import type { Staff } from '../../caller.ts';
import { insertAudit } from '../../db/audit/audit.ts';
import { revokeAll } from '../../db/invite/inviteChanges.ts';

/** Ends the links, and the access of whoever came by them. Answers how many were not revoked before. */
export async function revokeInvites(app: App, staff: Staff, ids: readonly string[]): Promise<number> {
  const { revoked, conversations } = await app.db.sql.transaction().execute(async (db) => {
    const ended = await revokeAll(db, ids);
    const [first] = ended.revoked;
    if (first !== undefined) {
      const many = ended.revoked.length > 1;
      await insertAudit(db, {
        actor: staff.staffId,
        action: 'invite.revoke',
        target: many ? `${ended.revoked.length} invites` : first,
        ...(many && { details: { ids: ended.revoked } }),
      });
    }
    return ended;
  });
  if (revoked.length === 0) return 0;
  for (const conversation of conversations) app.announce.conversationChanged(conversation);
  app.announce.managementChanged('invites', 'audit');
  return revoked.length;
}
