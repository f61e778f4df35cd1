import type { App } from '../../app.ts';
import type { Staff } from '../../caller.ts';
import { insertAudit } from '../../db/audit/audit.ts';
import { setAway } from '../../db/staff/staff.ts';

/** Away: signed in and working, but not there for visitors. It stays so until the person says otherwise. */
export async function setAvailability(app: App, staff: Staff, away: boolean): Promise<void> {
  const { staffId } = staff;
  const changed = await app.db.sql.transaction().execute(async (db) => {
    if (!(await setAway(db, staffId, away))) return false;
    const action = away ? 'availability.away' : 'availability.here';
    await insertAudit(db, { actor: staffId, action, target: staffId });
    return true;
  });
  // Every gateway then looks at its sessions, moves presence and tells this person's windows.
  if (changed) app.announce.accessChanged();
}
