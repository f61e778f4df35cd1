import type { App } from '../../app.ts';
import { insertAudit } from '../../db/audit/audit.ts';
import { dropPushOfSession } from '../../db/push/pushSubscriptions.ts';
import { revokeSession } from '../../db/staff/staff.ts';

/** Ends the session in the database: every token and socket made from it ends with it. */
export async function signOutStaff(app: App, tokenHash: Buffer): Promise<void> {
  const ended = await app.db.sql.transaction().execute(async (db) => {
    const staffId = await revokeSession(db, tokenHash);
    await dropPushOfSession(db, tokenHash);
    if (staffId !== undefined)
      await insertAudit(db, { actor: staffId, action: 'staff.signOut', target: staffId });
    return staffId !== undefined;
  });
  if (ended) app.announce.accessChanged();
}
