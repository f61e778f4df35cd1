import { INVITE_DAYS_MAX, INVITE_DEFAULT_DAYS } from '@settee/protocol/model/invite';
import type { InviteDraft, MadeLink } from '@settee/protocol/model/managedInvite';
import { inviteAdminTexts } from '@settee/protocol/texts/inviteAdminTexts';
import type { App } from '../../app.ts';
import { newInviteLink } from '../../auth/inviteToken.ts';
import { Refusal } from '../../auth/refusal.ts';
import { actorOf, type Manager } from '../../caller.ts';
import { type AuditAction, type AuditDetails, insertAudit } from '../../db/audit/audit.ts';
import { insertInvites } from '../../db/invite/inviteAdmin.ts';
import { insertInvite } from '../../db/invite/invites.ts';
import { aliasExists } from '../../db/staff/staff.ts';
import { requireStaffedDesks } from '../staff/peopleRules.ts';

/** Creates one or many invites, all or none. Only this answer contains the links. */
export async function createInvites(
  app: App,
  manager: Manager,
  { batchId, attempt, invites }: { batchId: string; attempt: number; invites: readonly InviteDraft[] },
): Promise<MadeLink[]> {
  if (new Set(invites.map(({ id }) => id)).size < invites.length) throw idTaken();
  const aliases = [...new Set(invites.map(({ alias }) => alias))].sort();
  const drafts = invites.map((draft) => ({ ...draft, ...newInviteLink(app) }));
  const made = await app.db.transaction(async (db) => {
    await requireStaffedDesks(db, aliases);
    const rows = await insertInvites(db, { batchId, attempt, creator: manager, drafts });
    // Throw inside the transaction: if one id is taken, nothing is stored.
    if (rows.length < drafts.length) throw idTaken();
    await insertAudit(db, { actor: actorOf(manager), ...auditOf(batchId, drafts, rows) });
    return new Map(rows.map(({ id, expiresAt }) => [id, expiresAt]));
  });
  app.announce.managementChanged('invites', 'audit');
  return drafts.map(({ id, link }) => ({ id, link, expiresAt: made.get(id) ?? 0 }));
}

function auditOf(
  batchId: string,
  drafts: readonly InviteDraft[],
  rows: readonly { fresh: boolean }[],
): { action: AuditAction; target: string; details: AuditDetails } {
  const [only] = drafts;
  if (drafts.length === 1 && only !== undefined) {
    const { id, alias, days, keepDays } = only;
    return { action: 'invite.create', target: id, details: { alias, days, keepDays } };
  }
  const count = rows.filter(({ fresh }) => fresh).length;
  const details = {
    count,
    linkedAgain: rows.length - count,
    aliases: [...new Set(drafts.map((draft) => draft.alias))],
  };
  return { action: 'invite.createMany', target: batchId, details };
}

function idTaken(): Refusal {
  return new Refusal('id_reused', inviteAdminTexts.existsAlready);
}

type CreatedInvite = { inviteId: string; link: string; expiresAt: Date };

/**
 * For the command line. Only the hash of the link is stored. The desk must exist but needs no staff: operators may
 * create links before accounts. The admin area is stricter.
 */
export async function createInvite(
  app: Pick<App, 'config' | 'db' | 'random'>,
  invite: { alias: string; label?: string; days?: number },
  actor: string,
): Promise<CreatedInvite> {
  const { alias, label = '', days = INVITE_DEFAULT_DAYS } = invite;
  if (!Number.isInteger(days) || days < 1 || days > INVITE_DAYS_MAX) {
    throw new Refusal('bad_request', inviteAdminTexts.wrongDays, { values: { max: INVITE_DAYS_MAX } });
  }
  if (!(await aliasExists(app.db, alias)))
    throw new Refusal('bad_request', inviteAdminTexts.noSuchDesk, { values: { alias } });
  const { tokenHash, link } = newInviteLink(app);
  const created = await app.db.transaction(async (db) => {
    const row = await insertInvite(db, { tokenHash, alias, label, days });
    await insertAudit(db, { actor, action: 'invite.create', target: row.inviteId, details: { alias, days } });
    return row;
  });
  return { ...created, link };
}
