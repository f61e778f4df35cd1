import { hasDesk, type PersonChange, type PersonDraft } from '@settee/protocol/model/person';
import type { Role } from '@settee/protocol/model/staff';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import type { App } from '../../app.ts';
import { Refusal } from '../../auth/refusal.ts';
import type { Staff } from '../../caller.ts';
import { insertAudit } from '../../db/audit/audit.ts';
import type { AccountRow } from '../../db/staff/accounts.ts';
import { movePushOf, updatePerson } from '../../db/staff/people.ts';
import { ensureAlias } from '../../db/staff/staff.ts';
import { demandDeskGoesOn, demandFresh, demandOtherAdmin, lockPerson } from './peopleRules.ts';

const FIELDS = ['name', 'email', 'role', 'alias'] as const;

/**
 * Name, e-mail address, role and desk, as far as they are given. `bringAlong`: the desk that nobody is left at is about to be moved to the new
 * one, where this person is by then.
 */
export async function changePerson(
  app: Pick<App, 'db' | 'announce'>,
  staff: Staff,
  id: string,
  { person: change, bringAlong }: { person: PersonChange; bringAlong: boolean },
): Promise<void> {
  const changed = await app.db.sql.transaction().execute(async (db) => {
    const before = await lockPerson(db, staff, id);
    const person = changedBy(before, change);
    const fields = FIELDS.filter((field) => before[field] !== person[field]);
    if (fields.length === 0) return [];
    if (!hasDesk(person)) throw new Refusal('bad_request', peopleTexts.aliasMissing);
    const promoted = fields.includes('role') && person.role === 'admin';
    if (promoted || (fields.includes('email') && before.role === 'admin')) await demandFresh(db, staff);
    if (person.role !== 'admin') await demandOtherAdmin(db, before);
    const leaves = fields.includes('alias');
    if (leaves && !(bringAlong && person.alias !== null)) await demandDeskGoesOn(db, before);
    if (person.alias !== null) await ensureAlias(db, person.alias);
    if (!(await updatePerson(db, id, person, { promoted }))) throw new Refusal('email_taken');
    if (leaves) await movePushOf(db, id, person.alias);
    const details = {
      fields,
      ...beforeAndAfter('role', before, person),
      ...beforeAndAfter('alias', before, person),
    };
    await insertAudit(db, { actor: staff.staffId, action: 'staff.update', target: id, details });
    return fields;
  });
  if (changed.length === 0) return;
  // Whoever changed role or desk comes back with a token that says what is true now.
  if (changed.includes('role') || changed.includes('alias')) app.announce.accessChanged();
  app.announce.managementChanged('staff', 'audit');
}

function changedBy(before: AccountRow, change: PersonChange): PersonDraft {
  const { name = before.name, email = before.email, role = before.role as Role } = change;
  // Null is no desk, which may be what is wanted.
  const alias = change.alias === undefined ? before.alias : change.alias;
  return { name, email, role, alias };
}

/** Names and addresses are left out: the log is for ever, and people have a right to be forgotten. */
function beforeAndAfter(field: 'role' | 'alias', before: AccountRow, after: PersonDraft): object {
  return before[field] === after[field] ? {} : { [field]: { before: before[field], after: after[field] } };
}
