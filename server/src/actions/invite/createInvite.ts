import { INVITE_DAYS_MAX, INVITE_DEFAULT_DAYS } from '@settee/protocol/model/invite';
import type { App } from '../../app.ts';
import { newInviteLink } from '../../auth/inviteToken.ts';
import { Refusal } from '../../auth/refusal.ts';
import { insertAudit } from '../../db/audit/audit.ts';
import { insertInvite } from '../../db/invite/invites.ts';
import { aliasExists } from '../../db/staff/staff.ts';

export type CreatedInvite = { inviteId: string; link: string; expiresAt: Date };

/**
 * By command. The link is known here and now only: what is stored is its hash. The desk has to exist, and that is all:
 * whoever sets up a server may make the links before the people. The admin area's own invites ask for more.
 */
export async function createInvite(
  app: Pick<App, 'config' | 'db' | 'random'>,
  invite: { alias: string; label?: string; days?: number },
  actor: string,
): Promise<CreatedInvite> {
  const { alias, label = '', days = INVITE_DEFAULT_DAYS } = invite;
  if (!Number.isInteger(days) || days < 1 || days > INVITE_DAYS_MAX) {
    throw new Refusal('bad_request', `An invite lasts from 1 to ${INVITE_DAYS_MAX} days`);
  }
  if (!(await aliasExists(app.db.sql, alias)))
    throw new Refusal('bad_request', `There is no handler ${alias}`);
  const { tokenHash, link } = newInviteLink(app);
  const created = await app.db.sql.transaction().execute(async (db) => {
    const row = await insertInvite(db, { tokenHash, alias, label, days });
    await insertAudit(db, { actor, action: 'invite.create', target: row.inviteId, details: { alias, days } });
    return row;
  });
  return { ...created, link };
}
