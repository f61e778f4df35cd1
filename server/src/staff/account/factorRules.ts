import { accountTexts } from '@settee/protocol/texts/accountTexts';
import type { App } from '../../platform/app.ts';
import { Refusal } from '../../platform/auth/refusal.ts';
import type { Staff } from '../../platform/ports/caller.ts';
import { type AccountRow, lockAccount } from '../accounts.store.ts';
import { endSessionsOf, forgetSecondFactor, hasRecentProof, markSecondFactor } from '../ownSessions.store.ts';
import {
  type Factors,
  hasFactor,
  readFactors,
  replaceRecoveryCodes,
  spendTicket,
} from '../secondFactors.store.ts';
import { readTicket, type Ticket, ticketMatches } from '../tickets.ts';
import { newRecoveryCodes } from './recoveryCodes.ts';

type Changing = Parameters<typeof lockAccount>[0];

/** Locks the caller's account. Requires a recent password or second factor. */
export async function requireOwnAccount(
  db: Changing,
  staff: Staff,
): Promise<{ account: AccountRow; factors: Factors }> {
  const account = await lockAccount(db, staff.staffId);
  if (!account?.active) throw new Refusal('unauthenticated');
  const factors = await readFactors(db, staff.staffId);
  // This session is older than the account's factor: the password alone must not add another one.
  if (hasFactor(factors) && !staff.verified) throw new Refusal('second_factor_required');
  if (!(await hasRecentProof(db, staff.sessionId))) {
    throw new Refusal('password_required');
  }
  return { account, factors };
}

/** The valid ticket of a step begun before. */
export async function requireTicket(
  app: App,
  errand: Parameters<typeof readTicket>[1],
  given: string,
): Promise<Ticket> {
  const ticket = await readTicket(app, errand, given);
  if (ticket === undefined) throw new Refusal('bad_request', accountTexts.tookTooLong);
  return ticket;
}

export async function redeemTicket(
  app: App,
  db: Changing,
  ticket: Ticket,
  account: AccountRow,
): Promise<void> {
  if (!ticketMatches(app, ticket, account) || !(await spendTicket(db, ticket))) {
    throw new Refusal('bad_request', accountTexts.tookTooLong);
  }
}

/** With the first factor: creates recovery codes, marks this session as verified and ends all unverified sessions. */
export async function onFactorAdded(
  app: App,
  db: Changing,
  staff: Staff,
  before: Factors,
): Promise<string[] | null> {
  if (hasFactor(before)) return null;
  const { codes, hashes } = newRecoveryCodes(app, staff.staffId);
  await replaceRecoveryCodes(db, staff.staffId, hashes);
  await markSecondFactor(db, staff.sessionId);
  await endSessionsOf(db, staff.staffId, { except: staff.sessionId, withoutFactorOnly: true });
  return codes;
}

/** After removing the last factor: refuses if one is mandatory, else deletes the recovery codes. */
export async function onFactorRemoved({ config }: App, db: Changing, account: AccountRow): Promise<void> {
  if (hasFactor(await readFactors(db, account.id))) return;
  const { secondFactor } = config;
  if (secondFactor === 'everyone' || (secondFactor === 'administrators' && account.role === 'admin')) {
    throw new Refusal('bad_request', accountTexts.lastFactor);
  }
  await replaceRecoveryCodes(db, account.id, []);
  await forgetSecondFactor(db, account.id);
}
