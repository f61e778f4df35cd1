import type { App } from '../app.ts';
import { dropPushOfSession } from '../db/pushSubscriptions.ts';
import { revokeSession } from '../db/staff.ts';

/** Ends the session in the database: every token and socket made from it ends with it. */
export async function signOutStaff(app: App, tokenHash: Buffer): Promise<void> {
  if (await revokeSession(app.db.sql, tokenHash)) app.announce.accessChanged();
  await dropPushOfSession(app.db.sql, tokenHash);
}
