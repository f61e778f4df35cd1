import type { App } from '../../app.ts';
import type { Staff } from '../../caller.ts';
import { insertAudit } from '../../db/audit/audit.ts';
import { endSessionsOf } from '../../db/staff/ownSessions.ts';
import { dropPasswordLink } from '../../db/staff/passwordLinks.ts';
import { setActive } from '../../db/staff/people.ts';
import { demandDeskGoesOn, demandNotOneself, demandOtherAdmin, lockPerson } from './peopleRules.ts';

/** Nothing opens for this person any more. The row stays, so that history has names. */
export async function deactivatePerson(
  app: Pick<App, 'db' | 'announce'>,
  staff: Staff,
  id: string,
): Promise<void> {
  demandNotOneself(staff, id);
  await app.db.sql.transaction().execute(async (db) => {
    const person = await lockPerson(db, staff, id);
    if (!person.active) return;
    await demandOtherAdmin(db, person);
    await demandDeskGoesOn(db, person);
    await setActive(db, id, false);
    await endSessionsOf(db, id);
    await dropPasswordLink(db, id);
    await insertAudit(db, { actor: staff.staffId, action: 'staff.deactivate', target: id });
  });
  app.announce.accessChanged();
}
