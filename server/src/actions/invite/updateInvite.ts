import type { App } from '../../app.ts';
import { Refusal } from '../../auth/refusal.ts';
import type { Staff } from '../../caller.ts';
import { insertAudit } from '../../db/audit/audit.ts';
import { forgetIndexedLabel, lockManagedInvite, setInvite } from '../../db/invite/inviteChanges.ts';

/** Label and days to keep at any time; the expiry while it still counts; what is undefined stays. Answers when it expires. */
export async function updateInvite(
  app: App,
  staff: Staff,
  inviteId: string,
  change: { label: string | undefined; keepDays: number | null | undefined; days: number | undefined },
): Promise<number> {
  const expiresAt = await app.db.sql.transaction().execute(async (db) => {
    const before = await lockManagedInvite(db, inviteId);
    if (before === undefined) throw new Refusal('invite_not_found');
    if (before.state === 'REVOKED') throw new Refusal('invite_revoked');
    if (change.days !== undefined && before.state === 'BOUND') {
      throw new Refusal('bad_request', 'Somebody has started this chat: it no longer expires');
    }
    const { label = before.label, keepDays = before.keepDays, days } = change;
    const expires = await setInvite(db, inviteId, { label, keepDays, days });
    if (label !== before.label) await forgetIndexedLabel(db, inviteId);
    const details = {
      ...(label !== before.label && { label: true }),
      ...(keepDays !== before.keepDays && { keepDays }),
      ...(days !== undefined && { days }),
    };
    await insertAudit(db, { actor: staff.staffId, action: 'invite.update', target: inviteId, details });
    return expires;
  });
  app.announce.managementChanged('invites', 'audit');
  return expiresAt.getTime();
}
