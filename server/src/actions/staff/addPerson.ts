import type { PersonDraft } from '@settee/protocol/model/person';
import type { App } from '../../app.ts';
import { Refusal } from '../../auth/refusal.ts';
import type { Staff } from '../../caller.ts';
import { insertAudit } from '../../db/audit/audit.ts';
import { ensureAlias, insertAccount } from '../../db/staff/staff.ts';
import { newPasswordLink, type PasswordLink } from './passwordLink.ts';
import { demandFresh, lockPeopleAs } from './peopleRules.ts';

/** An account that no password opens until its person has chosen one by the link. */
export async function addPerson(
  app: Pick<App, 'config' | 'db' | 'random' | 'announce'>,
  person: PersonDraft,
  staff: Staff,
): Promise<{ id: string } & PasswordLink> {
  const { role, alias } = person;
  const actor = staff.staffId;
  const added = await app.db.sql.transaction().execute(async (db) => {
    await lockPeopleAs(db, staff);
    if (role === 'admin') await demandFresh(db, staff);
    if (alias !== null) await ensureAlias(db, alias);
    const id = await insertAccount(db, { ...person, passwordHash: null });
    if (id === undefined) throw new Refusal('email_taken');
    const link = await newPasswordLink(app, db, id);
    await insertAudit(db, { actor, action: 'staff.create', target: id, details: { role, alias } });
    await insertAudit(db, { actor, action: 'staff.passwordLink', target: id });
    return { id, ...link };
  });
  app.announce.managementChanged('staff', 'audit');
  return added;
}
