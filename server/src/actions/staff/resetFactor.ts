import type { App } from '../../app.ts';
import { clearFactorFailures } from '../../auth/rateLimits.ts';
import { insertAudit } from '../../db/audit/audit.ts';
import { endSessionsOf } from '../../db/staff/ownSessions.ts';
import { deleteFactors, hasFactor, readFactors } from '../../db/staff/secondFactors.ts';
import { type Actor, actorId, demandFresh, lockPerson } from './peopleRules.ts';

/**
 * For who lost every factor and every recovery code: the operator's way out. All of it goes, and all sessions end; the
 * password alone opens the account until its owner sets a factor up anew.
 */
export async function resetFactor(
  app: Pick<App, 'config' | 'db'>,
  staffId: string,
  actor: Actor,
): Promise<void> {
  await app.db.sql.transaction().execute(async (db) => {
    const { role } = await lockPerson(db, actor, staffId);
    if (role === 'admin') await demandFresh(db, actor);
    const had = hasFactor(await readFactors(db, staffId));
    await deleteFactors(db, staffId);
    await endSessionsOf(db, staffId);
    await insertAudit(db, {
      actor: actorId(actor),
      action: 'factor.reset',
      target: staffId,
      details: { had },
    });
  });
  await clearFactorFailures(app, staffId);
}
