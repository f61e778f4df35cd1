import type { App } from '../app.ts';
import { lockAccount } from '../db/accounts.ts';
import { insertAudit } from '../db/audit.ts';
import { endSessionsOf } from '../db/ownSessions.ts';
import { deleteFactors, hasFactor, readFactors } from '../db/secondFactors.ts';
import { Refused } from '../refused.ts';

/**
 * For who lost every factor and every recovery code: the operator's way out. All of it goes, and all sessions end; the
 * password alone opens the account until its owner sets a factor up anew.
 */
export async function resetFactor(app: Pick<App, 'db'>, staffId: string, actor: string): Promise<void> {
  await app.db.sql.transaction().execute(async (db) => {
    if ((await lockAccount(db, staffId)) === undefined)
      throw new Refused('bad_request', 'There is no such account');
    const had = hasFactor(await readFactors(db, staffId));
    await deleteFactors(db, staffId);
    await endSessionsOf(db, staffId);
    await insertAudit(db, { actor, action: 'factor.reset', target: staffId, details: { had } });
  });
}
