import type { App } from '../../app.ts';
import type { Staff } from '../../caller.ts';
import { insertAudit } from '../../db/audit/audit.ts';
import { endSessionsOf } from '../../db/staff/ownSessions.ts';

/** Ends every session of the caller but this one. Answers how many there were. */
export async function signOutElsewhere(app: App, { staffId, sessionId }: Staff): Promise<number> {
  const ended = await app.db.sql.transaction().execute(async (db) => {
    const count = await endSessionsOf(db, staffId, { except: sessionId });
    const details = { elsewhere: count };
    await insertAudit(db, { actor: staffId, action: 'staff.signOut', target: staffId, details });
    return count;
  });
  app.announce.accessChanged();
  return ended;
}
