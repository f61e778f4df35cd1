import type { SecondFactorAsked } from '@settee/protocol/model/secondFactor';
import type { App } from '../../app.ts';
import { hasValidRole } from '../../auth/callers.ts';
import { passwordMatches } from '../../auth/passwords.ts';
import { allowSignIn, recordSignInSuccess } from '../../auth/rateLimits.ts';
import { Refusal } from '../../auth/refusal.ts';
import { signTicket } from '../../auth/tickets.ts';
import { passkeyRequestOptions } from '../../auth/webAuthn.ts';
import { insertAudit } from '../../db/audit/audit.ts';
import { type AccountRow, holdAccount } from '../../db/staff/accounts.ts';
import { listPasskeys } from '../../db/staff/passkeys.ts';
import { type Factors, hasFactor, readFactors } from '../../db/staff/secondFactors.ts';
import { findAccount, startGrace } from '../../db/staff/staff.ts';
import { noteFailedSignIn, type Opened, openSession } from './openSession.ts';
import { signOutStaff } from './signOutStaff.ts';

/**
 * Opens a session, or asks for the second factor of an account that has one. A wrong password and an unknown e-mail are
 * one answer, in one time.
 */
export async function signInStaff(
  app: App,
  attempt: { email: string; password: string; address: string; replaces?: Buffer | undefined },
): Promise<Opened | { asked: SecondFactorAsked }> {
  await allowSignIn(app, attempt);
  const found = await findAccount(app.db.sql, attempt.email);
  const matches = await passwordMatches(found?.passwordHash, attempt.password);
  if (found === undefined || !matches || !found.active) {
    if (found !== undefined) noteFailedSignIn(app, found.id, 'password');
    throw new Refusal('sign_in_failed');
  }
  await recordSignInSuccess(app, attempt);

  await startGrace(app.db.sql, found.id);

  // Whoever was signed in here is not any more, also when the new person has no business in the console.
  if (attempt.replaces !== undefined) await signOutStaff(app, attempt.replaces);

  const next = await app.db.sql.transaction().execute(async (db) => {
    const account = await holdAccount(db, found.id);
    // Whoever ended the account's sessions meanwhile meant this one too.
    if (!account?.active || account.passwordHash !== found.passwordHash) throw new Refusal('sign_in_failed');
    if (!hasValidRole(account)) throw new Refusal('access_denied');
    const factors = await readFactors(db, account.id);
    if (!hasFactor(factors)) return openSession(app, db, account, 'password');
    // Who knows the password has come half of the way, also if they never go on.
    await insertAudit(db, { actor: account.id, action: 'staff.passwordShown', target: account.id });
    return { account, factors };
  });
  if ('factors' in next) return { asked: await ask(app, next.account, next.factors) };
  app.announce.managementChanged('audit');
  return next;
}

async function ask(app: App, account: AccountRow, factors: Factors): Promise<SecondFactorAsked> {
  const known = await listPasskeys(app.db.sql, account.id);
  const passkey = known.length > 0 ? await passkeyRequestOptions(app, known) : undefined;
  const methods: SecondFactorAsked['methods'] = [];
  if (factors.totpSince !== null) methods.push('totp');
  if (passkey !== undefined) methods.push('passkey');
  if (factors.recoveryCodes > 0) methods.push('recovery');
  const ticket = await signTicket(app, 'sign-in', account, passkey?.challenge ?? '');
  return { ticket, methods, ...(passkey && { passkey }) };
}
