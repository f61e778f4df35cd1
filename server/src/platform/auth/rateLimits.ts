import { createHash } from 'node:crypto';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import type { App } from '../app.ts';
import type { Config } from '../config/config.ts';
import type { Database, DbTransaction } from '../db/database.ts';
import { countOf, type Rate, type RateName, rates } from '../limits/table.ts';
import { foldEmail } from './foldEmail.ts';
import { Refusal } from './refusal.ts';

type Deps = Pick<App, 'config' | 'db'>;

/** `browser`: the id of a browser in which this account signed in before. */
type SignInAttempt = { email: string; address: string; browser?: string | undefined };

type Limits = Record<RateName, RateLimiterAbstract>;

const cache = new WeakMap<Database, Limits>();

/** Counts one use, or bytes. Throws `too_many` when the limit is reached. */
export async function allow(app: Deps, limit: RateName, key: string, points = 1): Promise<void> {
  await count(limits(app)[limit], limit, key, points);
}

async function count(limiter: RateLimiterAbstract, limit: RateName, key: string, points = 1): Promise<void> {
  const retryAfter = await consume(limiter, key, points);
  if (retryAfter !== undefined) throw new Refusal('too_many', undefined, { retryAfter, limit });
}

/**
 * Counts one use if the transaction commits. Its own connection counts: with all of the pool in transactions that wait for
 * another one, none would go on.
 */
export async function allowWithin(
  db: DbTransaction,
  { config }: Deps,
  limit: RateName,
  key: string,
): Promise<void> {
  await count(createLimiter({ storeClient: db, storeType: 'client' }, config, limit), limit, key);
}

/**
 * Counts the attempt before it is made, so that parallel attempts do not evade the limit. Counts per account and
 * address, so that strangers cannot lock the owner out, and per address. A known browser also counts for itself.
 */
export async function allowSignIn(app: Deps, who: SignInAttempt): Promise<void> {
  await allow(app, 'account', accountKey(who));
  if (who.browser !== undefined) await allow(app, 'account', accountKey({ ...who, address: who.browser }));
  await allow(app, 'address', who.address);
}

/**
 * For an attempt that has to wait as a stranger's: it must not lock its address for the account. Returns whether its
 * password may be compared nevertheless, for the owner of a passkey.
 */
export async function allowWaitingSignIn(app: Deps, who: SignInAttempt): Promise<boolean> {
  const { account } = limits(app);
  await account.reward(accountKey(who));
  return (await consume(account, accountKey({ ...who, address: `${who.address} waiting` }))) === undefined;
}

export async function recordSignInSuccess(app: Deps, who: SignInAttempt): Promise<void> {
  await limits(app).account.delete(accountKey(who));
  if (who.browser !== undefined) {
    await limits(app).account.delete(accountKey({ ...who, address: who.browser }));
  }
  await limits(app).address.reward(who.address);
}

/** Attempts to create the first administrator, per address and in total. */
export async function allowSetup(app: Deps, address: string): Promise<void> {
  await allow(app, 'setup', address);
  await allow(app, 'setups', 'all');
}

/**
 * Counts the attempt before it is made. Guessable factors are also limited per account, from any address: only someone
 * who knows the password gets here. A passkey cannot be guessed and is never locked.
 */
export async function allowSecondFactor(
  app: Deps,
  attempt: { staffId: string; address: string; guessable: boolean },
): Promise<void> {
  await allow(app, 'factoraddress', attempt.address);
  if (!attempt.guessable) return;
  await allow(app, 'factor', attempt.staffId);
  await allow(app, 'factorday', attempt.staffId);
}

export async function recordSecondFactorSuccess(
  app: Deps,
  attempt: { staffId: string; address: string },
): Promise<void> {
  await clearFactorFailures(app, attempt.staffId);
  await limits(app).factoraddress.reward(attempt.address);
}

/** After the password or the factors changed, earlier failures do not count. */
export async function clearFactorFailures(app: Deps, staffId: string): Promise<void> {
  const { factor, factorday } = limits(app);
  await factor.delete(staffId);
  await factorday.delete(staffId);
}

/** Whether the audit log takes one more failed sign-in. */
export async function allowFailureAudit(app: Deps, staffId: string, step: string): Promise<boolean> {
  return (await consume(limits(app).noted, `${staffId}:${step}`)) === undefined;
}

/** Codes tried with one link, whoever renewed the code meanwhile. An administrator's new code starts again. */
export async function clearLinkCodes(app: Deps, inviteId: string): Promise<void> {
  await limits(app).linkcodes.delete(inviteId);
}

export async function clearPasswordFailures(app: Deps, staffId: string): Promise<void> {
  await limits(app).ownpassword.delete(staffId);
}

/** Returns the seconds to wait if the limit is reached. */
async function consume(
  limiter: RateLimiterAbstract,
  key: string,
  points?: number,
): Promise<number | undefined> {
  try {
    await limiter.consume(key, points);
    return undefined;
  } catch (error) {
    if (error instanceof RateLimiterRes) return Math.ceil(error.msBeforeNext / 1_000);
    throw error;
  }
}

/** A hash, so that the table has no e-mail addresses and the key stays short. */
export function accountKey({ email, address }: { email: string; address: string }): string {
  return createHash('sha256')
    .update(`${foldEmail(email)} ${address}`)
    .digest('base64url');
}

function limits(app: Deps): Limits {
  let found = cache.get(app.db);
  if (found === undefined) {
    found = createLimits(app);
    cache.set(app.db, found);
  }
  return found;
}

function createLimits({ db, config }: Deps): Limits {
  const names = Object.keys(rates) as RateName[];
  return Object.fromEntries(
    names.map((name) => [name, createLimiter({ storeClient: db.pool, storeType: 'pool' }, config, name)]),
  ) as Limits;
}

type Store = { storeClient: unknown; storeType: 'pool' | 'client' };

function createLimiter(store: Store, config: Config, keyPrefix: RateName): RateLimiterAbstract {
  const rate: Rate = rates[keyPrefix];
  const options = { keyPrefix, points: countOf(rate, config), duration: rate.seconds };
  if (rate.byAction !== true) return new RateLimiterMemory(options);
  return new RateLimiterPostgres({
    ...options,
    ...store,
    tableName: 'rate_limits',
    tableCreated: true,
    // A job does it.
    clearExpiredByTimeout: false,
  });
}
