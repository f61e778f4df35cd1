import { passwordProblem } from '@settee/protocol/model/person';
import type { App } from '../../app.ts';
import { hashPassword } from '../../auth/passwords.ts';
import { clearFactorFailures } from '../../auth/rateLimits.ts';
import { Refusal } from '../../auth/refusal.ts';
import type { Staff } from '../../caller.ts';
import { insertAudit } from '../../db/audit/audit.ts';
import { lockAccount, setPassword } from '../../db/staff/accounts.ts';
import { endSessionsOf, isOpen } from '../../db/staff/ownSessions.ts';
import { demandOwnPassword } from './confirmPassword.ts';

/** Whoever knew the old one is out: every other session ends, and so do sign-ins that were half done. */
export async function changePassword(
  app: App,
  staff: Staff,
  change: { current: string; password: string },
): Promise<void> {
  const before = await demandOwnPassword(app, staff, change.current);
  const problem = passwordProblem(change.password, before);
  if (problem !== undefined) throw new Refusal('bad_request', problem);
  const passwordHash = await hashPassword(change.password);
  const { staffId } = staff;
  await app.db.sql.transaction().execute(async (db) => {
    const account = await lockAccount(db, staffId);
    const same = account?.active && account.passwordHash === before.passwordHash;
    // Who was signed out while typing changes nothing any more.
    if (!same || !(await isOpen(db, staff.sessionId))) throw new Refusal('unauthenticated');
    await setPassword(db, staffId, passwordHash);
    await endSessionsOf(db, staffId, { except: staff.sessionId });
    await insertAudit(db, { actor: staffId, action: 'password.change', target: staffId });
  });
  await clearFactorFailures(app, staffId);
  app.announce.accessChanged();
}
