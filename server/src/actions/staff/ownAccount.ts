import type { Account } from '@settee/protocol/calls/accountCalls';
import { passwordProblem } from '@settee/protocol/model/person';
import { accountTexts } from '@settee/protocol/texts/accountTexts';
import type { App } from '../../app.ts';
import { hashPassword, passwordMatches } from '../../auth/passwords.ts';
import { allow, clearFactorFailures, clearPasswordFailures } from '../../auth/rateLimits.ts';
import { Refusal } from '../../auth/refusal.ts';
import type { Staff } from '../../caller.ts';
import { insertAudit } from '../../db/audit/audit.ts';
import { type AccountRow, lockAccount, readAccountRow, setPassword } from '../../db/staff/accounts.ts';
import { countOtherSessions, endSessionsOf, isOpen, markConfirmed } from '../../db/staff/ownSessions.ts';
import { listPasskeys } from '../../db/staff/passkeys.ts';
import { readFactors } from '../../db/staff/secondFactors.ts';
import { setAway } from '../../db/staff/staff.ts';

/** How the caller signs in, for the security page. */
export async function readAccount(app: App, staff: Staff): Promise<Account> {
  const account = await readAccountRow(app.db, staff.staffId);
  if (account === undefined) throw new Refusal('unauthenticated');
  const factors = await readFactors(app.db, staff.staffId);
  const passkeys = await listPasskeys(app.db, staff.staffId);
  return {
    email: account.email,
    name: account.name,
    role: staff.role,
    totpSince: factors.totpSince?.getTime() ?? null,
    passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
      id,
      name,
      createdAt: createdAt.getTime(),
      lastUsedAt: lastUsedAt?.getTime() ?? null,
    })),
    recoveryCodesLeft: factors.recoveryCodes,
    otherSessions: await countOtherSessions(app.db, staff),
  };
}

/** Away: signed in, but not available to visitors, until changed again. */
export async function setAvailability(app: App, staff: Staff, away: boolean): Promise<void> {
  const { staffId } = staff;
  const changed = await app.db.transaction(async (db) => {
    if (!(await setAway(db, staffId, away))) return false;
    const action = away ? 'availability.away' : 'availability.here';
    await insertAudit(db, { actor: staffId, action, target: staffId });
    return true;
  });
  // Every gateway then updates presence and notifies this person's windows.
  if (changed) app.announce.accessChanged();
}

/** Confirms the password, so that this session may change factors for some minutes. */
export async function confirmPassword(app: App, staff: Staff, password: string): Promise<void> {
  await requireOwnPassword(app, staff, password);
  await markConfirmed(app.db, staff.sessionId);
}

/** The account, if the password is correct. */
async function requireOwnPassword(app: App, staff: Staff, password: string): Promise<AccountRow> {
  await allow(app, 'ownPassword', staff.staffId);
  const account = await readAccountRow(app.db, staff.staffId);
  const matches = await passwordMatches(account?.passwordHash, password);
  if (account === undefined || !matches) throw new Refusal('bad_request', accountTexts.passwordWrong);
  await clearPasswordFailures(app, staff.staffId);
  return account;
}

/** Changes the password and ends all other sessions and unfinished sign-ins. */
export async function changePassword(
  app: App,
  staff: Staff,
  change: { current: string; password: string },
): Promise<void> {
  const before = await requireOwnPassword(app, staff, change.current);
  const problem = passwordProblem(change.password, before);
  if (problem !== undefined) throw new Refusal('bad_request', problem);
  const passwordHash = await hashPassword(change.password);
  const { staffId } = staff;
  await app.db.transaction(async (db) => {
    const account = await lockAccount(db, staffId);
    const same = account?.active && account.passwordHash === before.passwordHash;
    // The session may have ended meanwhile.
    if (!same || !(await isOpen(db, staff.sessionId))) throw new Refusal('unauthenticated');
    await setPassword(db, staffId, passwordHash);
    await endSessionsOf(db, staffId, { except: staff.sessionId });
    await insertAudit(db, { actor: staffId, action: 'password.change', target: staffId });
  });
  await clearFactorFailures(app, staffId);
  app.announce.accessChanged();
}
