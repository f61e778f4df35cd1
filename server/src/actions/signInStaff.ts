import type { App } from '../app.ts';
import { isQualified } from '../auth/callers.ts';
import { passwordMatches } from '../auth/passwords.ts';
import { newSession, STAFF_SESSION_DAYS } from '../auth/staffCookie.ts';
import type { Staff } from '../caller.ts';
import { insertAudit } from '../db/audit.ts';
import { allowSignIn, forgetSignIn } from '../db/rateLimits.ts';
import { findAccount, insertSession } from '../db/staff.ts';
import { Refused } from '../refused.ts';
import { signOutStaff } from './signOutStaff.ts';

/** Opens a session. A wrong password and an unknown e-mail are one answer, in one time. */
export async function signInStaff(
  app: App,
  attempt: { email: string; password: string; address: string; replaces?: Buffer | undefined },
): Promise<{ staff: Staff; secret: string }> {
  await allowSignIn(app, attempt);
  const account = await findAccount(app.db.sql, attempt.email);
  const matches = await passwordMatches(account?.passwordHash, attempt.password);
  if (account === undefined || !matches || !account.active) throw new Refused('sign_in_failed');
  await forgetSignIn(app, attempt);

  // Whoever was signed in here is not any more, also when the new person has no business in the console.
  if (attempt.replaces !== undefined) await signOutStaff(app, attempt.replaces);
  if (!isQualified(account)) throw new Refused('access_denied');

  const { secret, tokenHash } = newSession(app);
  const { id: staffId, name, role, alias, away } = account;
  const secondFactor = false;
  const session = { staffId, tokenHash, days: STAFF_SESSION_DAYS, secondFactor };
  const sessionId = await app.db.sql.transaction().execute(async (db) => {
    const id = await insertSession(db, session);
    await insertAudit(db, { actor: staffId, action: 'staff.signIn', target: staffId });
    return id;
  });
  const verified = role !== 'admin' || secondFactor;
  return { staff: { kind: 'staff', staffId, sessionId, name, role, alias, away, verified }, secret };
}
