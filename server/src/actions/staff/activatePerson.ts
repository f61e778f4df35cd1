import type { App } from '../../app.ts';
import type { Staff } from '../../caller.ts';
import { insertAudit } from '../../db/audit/audit.ts';
import { setActive } from '../../db/staff/people.ts';
import { lockPerson } from './peopleRules.ts';

/** Back at the desk they had, with the password they had. */
export async function activatePerson(
  app: Pick<App, 'db' | 'announce'>,
  staff: Staff,
  id: string,
): Promise<void> {
  await app.db.sql.transaction().execute(async (db) => {
    const person = await lockPerson(db, staff, id);
    if (person.active) return;
    await setActive(db, id, true);
    await insertAudit(db, { actor: staff.staffId, action: 'staff.activate', target: id });
  });
  app.announce.managementChanged('staff', 'audit');
}
