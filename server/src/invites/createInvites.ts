import { INVITE_DAYS_MAX, INVITE_DEFAULT_DAYS } from '@settee/protocol/model/invite';
import type { InviteDraft, MadeLink } from '@settee/protocol/model/managedInvite';
import { inviteAdminTexts } from '@settee/protocol/texts/inviteAdminTexts';
import { profileTexts } from '@settee/protocol/texts/profileTexts';
import type { App } from '../platform/app.ts';
import { newInviteLink } from '../platform/auth/inviteToken.ts';
import { Refusal } from '../platform/auth/refusal.ts';
import { type Audited, audited, type RecordEntry } from '../platform/db/audited.ts';
import type { Database, DbTransaction } from '../platform/db/database.ts';
import type { Manager } from '../platform/ports/caller.ts';
import { isAnyArchived } from '../profile/brand.store.ts';
import { requireStaffedDesks } from '../staff/people/peopleRules.ts';
import { aliasExists } from '../staff/staff.store.ts';
import { insertInvites } from './inviteAdmin.store.ts';
import { insertInvite } from './invites.store.ts';

/** Creates one or many invites, all or none. Only this answer contains the links. */
export async function createInvites(
  app: App,
  manager: Manager,
  { batchId, attempt, invites }: { batchId: string; attempt: number; invites: readonly InviteDraft[] },
): Promise<MadeLink[]> {
  if (new Set(invites.map(({ id }) => id)).size < invites.length) throw idTaken();
  const aliases = [...new Set(invites.map(({ alias }) => alias))].sort();
  const drafts = invites.map((draft) => ({ ...draft, ...newInviteLink(app) }));
  const made = await audited(app, manager, async (db, record) => {
    await requireStaffedDesks(db, aliases);
    await requireOpenProfiles(db, aliases);
    const rows = await insertInvites(db, { batchId, attempt, creator: manager, drafts });
    // Throw inside the transaction: if one id is taken, nothing is stored.
    if (rows.length < drafts.length) throw idTaken();
    recordCreated(record, batchId, drafts, rows);
    return new Map(rows.map(({ id, expiresAt }) => [id, expiresAt]));
  });
  return drafts.map(({ id, link }) => ({ id, link, expiresAt: made.get(id) ?? 0 }));
}

async function requireOpenProfiles(db: Database | DbTransaction, aliases: readonly string[]): Promise<void> {
  if (await isAnyArchived(db, aliases)) throw new Refusal('bad_request', profileTexts.archived);
}

function recordCreated(
  record: RecordEntry,
  batchId: string,
  drafts: readonly InviteDraft[],
  rows: readonly { fresh: boolean }[],
): void {
  const [only] = drafts;
  if (drafts.length === 1 && only !== undefined) {
    const { id, alias, days, keepDays } = only;
    record('invite.create', id, { alias, days, keepDays });
    return;
  }
  const count = rows.filter(({ fresh }) => fresh).length;
  const aliases = [...new Set(drafts.map((draft) => draft.alias))];
  record('invite.createMany', batchId, { count, linkedAgain: rows.length - count, aliases });
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
  app: Audited & Pick<App, 'config' | 'random'>,
  invite: { alias: string; label?: string; days?: number },
  actor: string,
): Promise<CreatedInvite> {
  const { alias, label = '', days = INVITE_DEFAULT_DAYS } = invite;
  if (!Number.isInteger(days) || days < 1 || days > INVITE_DAYS_MAX) {
    throw new Refusal('bad_request', inviteAdminTexts.wrongDays, { values: { max: INVITE_DAYS_MAX } });
  }
  if (!(await aliasExists(app.db, alias)))
    throw new Refusal('bad_request', inviteAdminTexts.noSuchDesk, { values: { alias } });
  await requireOpenProfiles(app.db, [alias]);
  const { tokenHash, link } = newInviteLink(app);
  const created = await audited(app, actor, async (db, record) => {
    const row = await insertInvite(db, { tokenHash, alias, label, days });
    record('invite.create', row.inviteId, { alias, days });
    return row;
  });
  return { ...created, link };
}
