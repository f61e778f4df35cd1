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
import { ensureAlias, insertAccount } from '../staff.store.ts';
import { newPasswordLink, type PasswordLink } from './passwordLinks.ts';
import {
  lockPeopleAsAdmin,
  requireDeskCovered,
  requireOtherAdmin,
  requireOtherPerson,
  requirePerson,
  requireRecentProof,
} from './peopleRules.ts';

/** Creates an account without a password. The person chooses one with the link. */
export async function addPerson(
  app: App,
  person: PersonDraft,
  staff: Staff,
): Promise<{ id: string } & PasswordLink> {
  const { role, alias, deskName } = person;
  return audited(app, staff, async (db, record) => {
    await lockPeopleAsAdmin(db, staff);
    await requireRecentProof(db, staff);
    if (alias !== null) await ensureDesk(db, alias, deskName);
    const id = await insertAccount(db, { ...person, passwordHash: null });
    if (id === undefined) throw new Refusal('email_taken');
    const link = await newPasswordLink(app, db, { id, email: person.email });
    record('staff.create', id, { role, alias });
    record('staff.passwordLink', id);
    return { id, ...link };
  });
}

/** Creates the desk if it does not exist. Returns whether it got this name. */
async function ensureDesk(db: DbTransaction, alias: string, name: string | undefined): Promise<boolean> {
  await ensureAlias(db, alias);
  return name !== undefined && (await nameDesk(db, alias, name));
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
    if (fields.length === 0 && change.deskName === undefined) return [];
    if (!hasDesk(person)) throw new Refusal('bad_request', peopleTexts.deskMissing);
    const promoted = fields.includes('role') && person.role === 'admin';
    if (promoted || fields.includes('email')) await requireRecentProof(db, staff);
    if (person.role !== 'admin') await requireOtherAdmin(db, before);
    const leaves = fields.includes('alias');
    if (leaves && !(bringAlong && person.alias !== null)) await requireDeskCovered(db, before);
    if (person.alias !== null && (await ensureDesk(db, person.alias, change.deskName)))
      fields.push('deskName');
    if (fields.length === 0) return [];
    if (!(await updatePerson(db, id, person, { promoted }))) throw new Refusal('email_taken');
    if (leaves) await movePushSubscriptions(db, id, person.alias);
    const details = {
      fields,
      ...beforeAndAfter('role', before, person),
      ...beforeAndAfter('alias', before, person),
    };
    record('staff.update', id, details);
    return fields;
  });
  // After a change of role or desk, clients reconnect with a new token.
  if (changed.includes('role') || changed.includes('alias')) app.announce.accessChanged();
}

function changedBy(before: AccountRow, change: PersonChange): PersonDraft {
  const { name = before.name, email = before.email, role = before.role as Role } = change;
  // Null removes the desk.
  const alias = change.alias === undefined ? before.alias : change.alias;
  return { name, email, role, alias };
}

/** Names and addresses are left out: the audit log is permanent. */
function beforeAndAfter(field: 'role' | 'alias', before: AccountRow, after: PersonDraft): AuditDetails {
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
    await requireDeskCovered(db, person);
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
