import type { App } from '../app.ts';
import type { Staff } from '../caller.ts';
import { setAway } from '../db/staff.ts';

/** Away: signed in and working, but not there for visitors. It stays so until the person says otherwise. */
export async function setAvailability(app: App, staff: Staff, away: boolean): Promise<void> {
  // Every gateway then looks at its sessions, moves presence and tells this person's windows.
  if (await setAway(app.db.sql, staff.staffId, away)) app.announce.accessChanged();
}
