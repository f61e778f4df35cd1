import { hasDesk, type PersonChange, type PersonDraft } from '@settee/protocol/model/person';
import type { Role } from '@settee/protocol/model/staff';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import type { App } from '../../platform/app.ts';
import { Refusal } from '../../platform/auth/refusal.ts';
import type { AuditDetails } from '../../platform/db/audit.ts';
import { audited } from '../../platform/db/audited.ts';
import type { DbTransaction } from '../../platform/db/database.ts';
import type { Staff } from '../../platform/ports/caller.ts';
import type { AccountRow } from '../accounts.store.ts';
import { nameDesk } from '../desks.store.ts';
import { endSessionsOf } from '../ownSessions.store.ts';
import { dropPasswordLink } from '../passwordLinks.store.ts';
import { movePushSubscriptions, setActive, updatePerson } from '../people.store.ts';
import { ensureAlias, insertAccount, writeDesks } from '../staff.store.ts';
import { newPasswordLink, type PasswordLink } from './passwordLinks.ts';
import {
  lockPeopleAsAdmin,
  requireDesksCovered,
  requireMovable,
  requireOtherAdmin,
  requireOtherPerson,
  requirePerson,
  requirePlace,
  requireRecentProof,
} from './peopleRules.ts';

/** Creates an account without a password. The person chooses one with the link. */
export async function addPerson(
  app: App,
  person: PersonDraft,
  staff: Staff,
): Promise<{ id: string } & PasswordLink> {
  const { role, alias, desks = alias === null ? [] : [alias] } = person;
  const added = await audited(app, staff, async (db, record) => {
    await lockPeopleAsAdmin(db, staff);
    await requireRecentProof(db, staff);
    await ensureDesks(db, desks, person);
    const id = await insertAccount(db, { ...person, passwordHash: null });
    if (id === undefined) throw new Refusal('email_taken');
    await writeDesks(db, id, desks);
    const link = await newPasswordLink(app, db, { id, email: person.email });
    record('staff.create', id, { role, alias, ...(desks.length > 1 && { aliases: desks }) });
    record('staff.passwordLink', id);
    return { id, ...link };
  });
  announceDesks(app, person);
  return added;
}

/** Creates desks that do not exist. Returns whether one got another name. */
async function ensureDesks(
  db: DbTransaction,
  aliases: readonly string[],
  {
    deskName,
    deskNames = {},
    deskProfiles = {},
  }: Pick<PersonChange, 'deskName' | 'deskNames' | 'deskProfiles'>,
): Promise<boolean> {
  let named = false;
  for (const [at, alias] of aliases.entries()) {
    const name = deskNames[alias] ?? (at === 0 ? deskName : undefined);
    const profile = deskProfiles[alias];
    if (profile !== undefined) await requirePlace(db, alias, profile);
    await ensureAlias(db, alias, profile);
    named = (name !== undefined && (await nameDesk(db, alias, name))) || named;
  }
  return named;
}

/** Gateways know the profile of each desk. */
function announceDesks(app: App, { deskProfiles }: Pick<PersonChange, 'deskProfiles'>): void {
  if (deskProfiles !== undefined) app.announce.brandChanged();
}

const FIELDS = ['name', 'email', 'role', 'alias'] as const;

/**
 * Changes the given fields. `bringAlong`: the desk is about to be moved to the person's new desk, so it may be left
 * without staff.
 */
export async function changePerson(
  app: App,
  staff: Staff,
  id: string,
  { person: change, bringAlong }: { person: PersonChange; bringAlong: boolean },
): Promise<void> {
  const changed = await audited(app, staff, async (db, record) => {
    const before = await requirePerson(db, staff, id);
    const person = changedBy(before, change);
    const fields: string[] = FIELDS.filter((field) => before[field] !== person[field]);
    if (before.desks.join() !== person.desks.join() && !fields.includes('alias')) fields.push('desks');
    const names = change.deskName !== undefined || change.deskNames !== undefined;
    if (fields.length === 0 && !names) return [];
    if (!hasDesk(person)) throw new Refusal('bad_request', peopleTexts.deskMissing);
    const promoted = fields.includes('role') && person.role === 'admin';
    if (promoted || fields.includes('email')) await requireRecentProof(db, staff);
    if (person.role !== 'admin') await requireOtherAdmin(db, before);
    const left = before.desks.filter((alias) => !person.desks.includes(alias));
    if (bringAlong && person.alias !== null) await requireMovable(db, before, left, person.alias);
    else await requireDesksCovered(db, before, left);
    if (await ensureDesks(db, person.desks, change)) fields.push('deskName');
    if (fields.length === 0) return [];
    if (!(await updatePerson(db, id, person, { promoted }))) throw new Refusal('email_taken');
    if (fields.includes('alias')) await movePushSubscriptions(db, id, person.alias);
    const details = {
      fields,
      ...beforeAndAfter('role', before, person),
      ...beforeAndAfter('alias', before, person),
      ...(before.desks.length + person.desks.length > 2 && {
        aliases: { before: before.desks, after: person.desks },
      }),
    };
    record('staff.update', id, details);
    return fields;
  });
  announceDesks(app, change);
  // After a change of role or desk, clients reconnect with a new token.
  if (['role', 'alias', 'desks'].some((field) => changed.includes(field))) app.announce.accessChanged();
}

type Next = Pick<PersonDraft, 'name' | 'email' | 'role' | 'alias'> & { desks: string[] };

function changedBy(before: AccountRow, change: PersonChange): Next {
  const { name = before.name, email = before.email, role = before.role as Role } = change;
  const desks = change.desks ?? withFirst(change.alias, before.desks);
  return { name, email, role, alias: desks[0] ?? null, desks };
}

/** As the trigger of staff.alias does it: another first desk replaces the one before, and null removes all. */
function withFirst(alias: string | null | undefined, desks: string[]): string[] {
  if (alias === undefined || alias === desks[0]) return desks;
  return alias === null ? [] : [alias, ...desks.slice(1).filter((other) => other !== alias)];
}

/** Names and addresses are left out: the audit log is permanent. */
function beforeAndAfter(field: 'role' | 'alias', before: AccountRow, after: Next): AuditDetails {
  return before[field] === after[field] ? {} : { [field]: { before: before[field], after: after[field] } };
}

/** Restores the former desk and password. */
export async function activatePerson(app: App, staff: Staff, id: string): Promise<void> {
  await audited(app, staff, async (db, record) => {
    const person = await requirePerson(db, staff, id);
    if (person.active) return;
    await requireRecentProof(db, staff);
    await setActive(db, id, true);
    record('staff.activate', id);
  });
}

/** Ends all access. The row stays, so that history shows names. */
export async function deactivatePerson(app: App, staff: Staff, id: string): Promise<void> {
  requireOtherPerson(staff, id);
  await audited(app, staff, async (db, record) => {
    const person = await requirePerson(db, staff, id);
    if (!person.active) return;
    await requireOtherAdmin(db, person);
    await requireDesksCovered(db, person, person.desks);
    await setActive(db, id, false);
    await endSessionsOf(db, id);
    await dropPasswordLink(db, id);
    record('staff.deactivate', id);
  });
}

/** Ends every session of a person, possibly one's own. */
export async function signOutEverywhere(app: App, staff: Staff, id: string): Promise<void> {
  await audited(app, staff, async (db, record) => {
    await requirePerson(db, staff, id);
    await endSessionsOf(db, id);
    record('staff.signOutEverywhere', id);
  });
}
