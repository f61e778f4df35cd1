import { accountTexts } from '@settee/protocol/texts/accountTexts';
import type { App } from '../../app.ts';
import { passwordMatches } from '../../auth/passwords.ts';
import { allowOwnPassword, clearPasswordFailures } from '../../auth/rateLimits.ts';
import { Refusal } from '../../auth/refusal.ts';
import type { Staff } from '../../caller.ts';
import { type AccountRow, readAccountRow } from '../../db/staff/accounts.ts';
import { markConfirmed } from '../../db/staff/ownSessions.ts';

/** Typed again: for some minutes this session may change how its owner signs in. */
export async function confirmPassword(app: App, staff: Staff, password: string): Promise<void> {
  await demandOwnPassword(app, staff, password);
  await markConfirmed(app.db.sql, staff.sessionId);
}

/** The account, if this is its password. */
export async function demandOwnPassword(app: App, staff: Staff, password: string): Promise<AccountRow> {
  await allowOwnPassword(app, staff.staffId);
  const account = await readAccountRow(app.db.sql, staff.staffId);
  const matches = await passwordMatches(account?.passwordHash, password);
  if (account === undefined || !matches) throw new Refusal('bad_request', accountTexts.passwordWrong);
  await clearPasswordFailures(app, staff.staffId);
  return account;
}
