import type { App } from '../../app.ts';
import type { Staff } from '../../caller.ts';
import { insertAudit } from '../../db/audit/audit.ts';
import { endSessionsOf } from '../../db/staff/ownSessions.ts';
import { lockPerson } from './peopleRules.ts';

/** Ends every session of a person, also one's own. */
export async function signOutEverywhere(
  app: Pick<App, 'db' | 'announce'>,
  staff: Staff,
  id: string,
): Promise<void> {
  await app.db.sql.transaction().execute(async (db) => {
    await lockPerson(db, staff, id);
    await endSessionsOf(db, id);
    await insertAudit(db, { actor: staff.staffId, action: 'staff.signOutEverywhere', target: id });
  });
  app.announce.accessChanged();
}
