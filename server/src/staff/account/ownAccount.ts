import type { Account } from '@settee/protocol/calls/accountCalls';
import type { HeldDesk } from '@settee/protocol/model/staff';
import { accountTexts } from '@settee/protocol/texts/accountTexts';
import type { StaffLanguage } from '@settee/protocol/texts/languages';
import { setWaitingMail } from '../../mail/waitingMails.store.ts';
import type { App } from '../../platform/app.ts';
import { allow, clearFactorFailures, clearPasswordFailures } from '../../platform/auth/rateLimits.ts';
import { Refusal } from '../../platform/auth/refusal.ts';
import { audited } from '../../platform/db/audited.ts';
import type { Database, DbTransaction } from '../../platform/db/database.ts';
import type { Staff } from '../../platform/ports/caller.ts';
import { type AccountRow, lockAccount, readAccountRow, setLanguage, setPassword } from '../accounts.store.ts';
import { requireGoodPassword } from '../commonPasswords.ts';
import { confirmSession, endSessionsOf, listSessions } from '../ownSessions.store.ts';
import { listPasskeys } from '../passkeys.store.ts';
import { hashPassword, passwordMatches } from '../passwords.ts';
import { readFactors } from '../secondFactors.store.ts';
import * as store from '../staff.store.ts';
import { newSession } from '../staffCookie.ts';

/** How the caller signs in, for the security page. */
export async function readAccount(app: App, staff: Staff): Promise<Account> {
  const account = await readAccountRow(app.db, staff.staffId);
  if (account === undefined) throw new Refusal('unauthenticated');
  const factors = await readFactors(app.db, staff.staffId);
  const passkeys = await listPasskeys(app.db, staff.staffId);
  const sessions = await listSessions(app.db, app.config, staff.staffId);
  return {
    email: account.email,
    name: account.name,
    role: staff.role,
    hasPassword: account.passwordHash !== null,
    totpSince: factors.totpSince?.getTime() ?? null,
    passkeys: passkeys.map(({ id, name, createdAt, lastUsedAt }) => ({
      id,
      name,
      createdAt: createdAt.getTime(),
      lastUsedAt: lastUsedAt?.getTime() ?? null,
    })),
    recoveryCodesLeft: factors.recoveryCodes,
    waitingMail: app.config.mail === undefined || account.alias === null ? null : account.waitingMail,
    sessions: sessions.map(({ id, createdAt, lastUsedAt, browser, network }) => ({
      id,
      createdAt: createdAt.getTime(),
      lastUsedAt: lastUsedAt.getTime(),
      browser,
      network,
      current: id === staff.sessionId,
    })),
  };
}

/** Not in the audit log: it changes nothing for anyone else. */
export function saveLanguage(app: App, { staffId }: Staff, language: StaffLanguage): Promise<void> {
  return setLanguage(app.db, staffId, language);
}

/** Mails when a visitor at the caller's desk waits. */
export async function saveWaitingMail(app: App, { staffId }: Staff, on: boolean): Promise<void> {
  await audited(app, staffId, async (db, record) => {
    if (await setWaitingMail(db, staffId, on)) record(on ? 'mail.enable' : 'mail.disable', staffId);
  });
}

/** Away: signed in, but not available to visitors, until changed again. */
export async function setAvailability(app: App, { staffId }: Staff, away: boolean): Promise<void> {
  // Every gateway then updates presence and notifies this person's windows.
  await audited(app, staffId, async (db, record) => {
    if (await store.setAway(db, staffId, away))
      record(away ? 'availability.away' : 'availability.here', staffId);
  });
}

/** Off: available at the other desks. */
export async function setDeskOff(app: App, { staffId, desks }: Staff, desk: HeldDesk): Promise<void> {
  const { alias, off } = desk;
  if (!desks.some((held) => held.alias === alias)) throw new Refusal('not_found');
  // The only desk is never off: that is away.
  if (off && desks.length === 1) throw new Refusal('bad_request');
  await audited(app, staffId, async (db, record) => {
    // The other desks stay until the commit.
    await lockAccount(db, staffId);
    if (await store.setDeskOff(db, staffId, desk))
      record(off ? 'availability.away' : 'availability.here', staffId, { alias });
  });
}

/** Confirms the password, so that this session may change factors for some minutes. Returns its new secret. */
export async function confirmPassword(app: App, staff: Staff, password: string): Promise<string> {
  await requireOwnPassword(app, staff, password);
  return replaceSecret(app, app.db, staff);
}

/** Whoever has a copy of the previous secret loses the session. */
async function replaceSecret(app: App, db: Database | DbTransaction, { sessionId }: Staff): Promise<string> {
  const { secret, tokenHash } = newSession(app);
  // The session may have ended meanwhile.
  if (!(await confirmSession(db, { sessionId, tokenHash }))) throw new Refusal('unauthenticated');
  return secret;
}

/** The account, if the password is correct. */
async function requireOwnPassword(app: App, staff: Staff, password: string): Promise<AccountRow> {
  await allow(app, 'ownpassword', staff.staffId);
  const account = await readAccountRow(app.db, staff.staffId);
  const matches = await passwordMatches(account?.passwordHash, password);
  if (account === undefined || !matches) throw new Refusal('bad_request', accountTexts.passwordWrong);
  await clearPasswordFailures(app, staff.staffId);
  return account;
}

/** Changes the password and ends all other sessions and unfinished sign-ins. Returns the session's new secret. */
export async function changePassword(
  app: App,
  staff: Staff,
  change: { current: string; password: string },
): Promise<string> {
  const before = await requireOwnPassword(app, staff, change.current);
  requireGoodPassword(change.password, before);
  const passwordHash = await hashPassword(change.password);
  const { staffId } = staff;
  const secret = await audited(app, staff, async (db, record) => {
    const account = await lockAccount(db, staffId);
    const same = account?.active && account.passwordHash === before.passwordHash;
    if (!same) throw new Refusal('unauthenticated');
    const replaced = await replaceSecret(app, db, staff);
    await setPassword(db, staffId, passwordHash);
    await endSessionsOf(db, staffId, { except: staff.sessionId });
    record('password.change', staffId);
    return replaced;
  });
  await clearFactorFailures(app, staffId);
  return secret;
}
