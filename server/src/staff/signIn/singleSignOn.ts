import type { SecondFactorAsked } from '@settee/protocol/model/secondFactor';
import { Role } from '@settee/protocol/model/staff';
import * as v from 'valibot';
import type { App } from '../../platform/app.ts';
import { Refusal } from '../../platform/auth/refusal.ts';
import type { SingleSignOn } from '../../platform/config/config.ts';
import { audited, type RecordEntry } from '../../platform/db/audited.ts';
import type { DbTransaction } from '../../platform/db/database.ts';
import type { SessionOrigin } from '../../platform/ports/caller.ts';
import { type AccountRow, lockAccount } from '../accounts.store.ts';
import { hasValidRole } from '../callers.ts';
import { requireDesksCovered, requireOtherAdmin } from '../people/peopleRules.ts';
import { lockPeople, updatePerson } from '../people.store.ts';
import { hasFactor, readFactors, spendTicket } from '../secondFactors.store.ts';
import { type OpenedSession, openSession, signOutStaff } from '../sessions.ts';
import { findAccount, startGracePeriod } from '../staff.store.ts';
import { type Attempt, type Identity, verifyCallback } from './provider.ts';
import { askSecondFactor } from './signIn.ts';

const ACTOR = 'single sign-on';

/** Why a person whom the provider knows cannot sign in. */
type SingleSignOnProblem = 'unverified' | 'unknown' | 'denied';

type Outcome = OpenedSession | { asked: SecondFactorAsked } | { problem: SingleSignOnProblem };

/** Finishes an attempt, once. `path` is the address to which the provider sent the browser back. */
export async function signInWithProvider(
  app: App,
  settings: SingleSignOn,
  { attempt, path, origin }: { attempt: Attempt; path: string; origin: SessionOrigin },
): Promise<Outcome & { identity: Identity }> {
  const { id: ticketId, expiresAt } = attempt;
  if (!(await spendTicket(app.db, { ticketId, expiresAt }))) throw new Error('the attempt was used before');
  const identity = await verifyCallback(app, settings, attempt, path);
  const outcome = await signIn(app, identity, origin);
  // Otherwise the second step ends it.
  const { replaces } = attempt;
  if ('secret' in outcome && replaces) await signOutStaff(app, Buffer.from(replaces, 'base64url'));
  return { ...outcome, identity };
}

/**
 * Opens a session for the account with this e-mail address, or asks for the account's second factor. Creates no account:
 * a handler needs a desk, which the provider does not know.
 */
async function signIn(app: App, identity: Identity, origin: SessionOrigin): Promise<Outcome> {
  if (!identity.emailVerified) return { problem: 'unverified' };
  const found = await findAccount(app.db, identity.email);
  if (!found?.active) return { problem: 'unknown' };
  await startGracePeriod(app.db, found.id);
  const next = await audited(app, ACTOR, async (db, record) => {
    await lockPeople(db);
    let account = await lockAccount(db, found.id);
    if (!account?.active) return undefined;
    if (identity.roles !== undefined) account = await applyRole(db, record, account, identity.roles);
    if (account === undefined || !hasValidRole(account)) return undefined;
    const factors = await readFactors(db, account.id);
    if (hasFactor(factors) && !identity.multiFactor) return { account, factors };
    return openSession(app, db, record, account, {
      method: 'sso',
      proof: {
        secondFactor: identity.multiFactor,
        // A person without a password has no other way.
        recent: identity.asked ?? account.passwordHash === null,
      },
      origin,
    });
  });
  if (next === undefined) return { problem: 'denied' };
  if (identity.roles !== undefined) app.announce.accessChanged();
  return 'factors' in next ? { asked: await askSecondFactor(app, next.account, next.factors) } : next;
}

/** Takes the role from the claim. Undefined if the claim has none of ours, or if a rule forbids the change. */
async function applyRole(
  db: DbTransaction,
  record: RecordEntry,
  account: AccountRow,
  roles: string[],
): Promise<AccountRow | undefined> {
  const role = (['admin', 'handler'] as const).find((each) => roles.includes(each));
  if (role === undefined) return undefined;
  if (role === account.role) return account;
  // An administrator without a desk cannot become a handler, nor can the last administrator.
  const changed = { ...account, role };
  if (!hasValidRole(changed)) return undefined;
  try {
    if (role !== 'admin') await requireOtherAdmin(db, account);
    await requireDesksCovered(db, account, account.desks);
  } catch (error) {
    if (error instanceof Refusal) return undefined;
    throw error;
  }
  await updatePerson(db, account.id, changed, { promoted: role === 'admin' });
  const before = v.is(Role, account.role) ? account.role : null;
  record('staff.update', account.id, { fields: ['role'], role: { before, after: role } });
  return changed;
}
