import type { App } from '../../app.ts';
import { Refusal } from '../../auth/refusal.ts';
import type { Staff } from '../../caller.ts';
import { insertAudit } from '../../db/audit/audit.ts';
import { lockManagedInvite } from '../../db/invite/inviteChanges.ts';
import { mintCode } from './mintCode.ts';

/** A new continue code with a clean record, for an administrator to tell the visitor. */
export async function resetCode(app: App, staff: Staff, inviteId: string): Promise<string> {
  const { code, conversation } = await app.db.sql.transaction().execute(async (db) => {
    const invite = await lockManagedInvite(db, inviteId);
    if (invite === undefined) throw new Refusal('invite_not_found');
    if (invite.state === 'REVOKED') throw new Refusal('invite_revoked');
    if (invite.state !== 'BOUND') throw new Refusal('bad_request', 'Nobody has started this chat yet');
    const minted = await mintCode(app, db, inviteId);
    await insertAudit(db, { actor: staff.staffId, action: 'invite.resetCode', target: inviteId });
    return minted;
  });
  if (conversation !== undefined) app.announce.conversationChanged(conversation);
  app.announce.managementChanged('audit');
  return code;
}
