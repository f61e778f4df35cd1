import type { App } from '../../platform/app.ts';
import { clearFactorFailures } from '../../platform/auth/rateLimits.ts';
import { type Audited, audited } from '../../platform/db/audited.ts';
import type { Staff } from '../../platform/ports/caller.ts';
import { endSessionsOf } from '../ownSessions.store.ts';
import { deleteFactors, hasFactor, readFactors } from '../secondFactors.store.ts';
import { type Actor, requireOtherPerson, requirePerson, requireRecentProof } from './peopleRules.ts';

/**
 * Removes all factors and recovery codes and ends all sessions, for a person who lost them. The password alone works
 * until they set up a new factor.
 */
export async function resetFactor(
  app: Audited & Pick<App, 'config'>,
  staffId: string,
  actor: Actor,
): Promise<void> {
  await audited(app, actor, async (db, record) => {
    await requirePerson(db, actor, staffId);
    await requireRecentProof(db, actor);
    const had = hasFactor(await readFactors(db, staffId));
    await deleteFactors(db, staffId);
    await endSessionsOf(db, staffId);
    record('factor.reset', staffId, { had });
  });
  await clearFactorFailures(app, staffId);
}

/** By an administrator, for another person. Own factors are removed in the own settings. */
export async function resetFactorByAdmin(app: App, staff: Staff, id: string): Promise<void> {
  requireOtherPerson(staff, id);
  await resetFactor(app, id, staff);
}
