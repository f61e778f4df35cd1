import { createHash } from 'node:crypto';
import {
  type RateLimiterAbstract,
  RateLimiterMemory,
  RateLimiterPostgres,
  RateLimiterRes,
} from 'rate-limiter-flexible';
import type { App } from '../app.ts';
import type { Database } from '../db/engine/database.ts';
import { Refusal } from './refusal.ts';

type Deps = Pick<App, 'config' | 'db'>;

export const SIGN_IN_FAILURES = 5;
export const SIGN_IN_FAILURES_PER_ADDRESS = 50;
export const SIGN_IN_WINDOW_SECONDS = 15 * 60;
export const PUSH_TEST_SECONDS = 10;
export const SETUPS_PER_ADDRESS = 10;
/** This limits load, not guessing: the code has 80 bits. */
const SETUPS = 300;
export const SETUP_WINDOW_SECONDS = 15 * 60;

/** Three of a million codes are valid at a time: guessing for 100 days succeeds with less than 1 %. */
export const CODE_FAILURES = 5;
export const CODE_FAILURES_PER_DAY = 30;
const DAY_SECONDS = 24 * 60 * 60;
/** Failed sign-ins per account and step in the audit log: strangers must not fill a log that nobody can prune. */
const AUDITED_FAILURES = 5;
const AUDIT_WINDOW_SECONDS = 60 * 60;
/** Confirming the own password in an open session. */
export const PASSWORD_FAILURES = 5;

/** Per person: more than anyone needs, few enough to protect the store. */
export const UPLOAD_CALLS_PER_MINUTE = 120;

/** The longest conversations have a few hundred pages. */
export const EXPORT_CALLS_PER_MINUTE = 300;
export const ERASINGS_PER_MINUTE = 5;

type Limits = ReturnType<typeof createLimits>;

const cache = new WeakMap<Database, Limits>();

/** Counts one use. Throws `too_many` when the limit is reached. */
export async function allow(app: Deps, limit: keyof Limits, key: string): Promise<void> {
  if (!(await consume(limits(app)[limit], key))) throw new Refusal('too_many');
}

/**
 * Counts the attempt before it is made, so that parallel attempts do not evade the limit. Counts per account and
 * address, so that strangers cannot lock the owner out, and per address.
 */
export async function allowSignIn(app: Deps, who: { email: string; address: string }): Promise<void> {
  await allow(app, 'account', accountKey(who));
  await allow(app, 'address', who.address);
}

export async function recordSignInSuccess(app: Deps, who: { email: string; address: string }): Promise<void> {
  await limits(app).account.delete(accountKey(who));
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
  await allow(app, 'factorAddress', attempt.address);
  if (!attempt.guessable) return;
  await allow(app, 'factor', attempt.staffId);
  await allow(app, 'factorByDay', attempt.staffId);
}

export async function recordSecondFactorSuccess(
  app: Deps,
  attempt: { staffId: string; address: string },
): Promise<void> {
  await clearFactorFailures(app, attempt.staffId);
  await limits(app).factorAddress.reward(attempt.address);
}

/** After the password or the factors changed, earlier failures do not count. */
export async function clearFactorFailures(app: Deps, staffId: string): Promise<void> {
  const { factor, factorByDay } = limits(app);
  await factor.delete(staffId);
  await factorByDay.delete(staffId);
}

/** Whether the audit log takes one more failed sign-in. */
export async function allowFailureAudit(app: Deps, staffId: string, step: string): Promise<boolean> {
  return consume(limits(app).audited, `${staffId}:${step}`);
}

export async function clearPasswordFailures(app: Deps, staffId: string): Promise<void> {
  await limits(app).ownPassword.delete(staffId);
}

async function consume(limiter: RateLimiterAbstract, key: string): Promise<boolean> {
  try {
    await limiter.consume(key);
    return true;
  } catch (error) {
    if (error instanceof RateLimiterRes) return false;
    throw error;
  }
}

/** A hash, so that the table has no e-mail addresses and the key stays short. */
export function accountKey({ email, address }: { email: string; address: string }): string {
  return createHash('sha256').update(`${email.toLowerCase()} ${address}`).digest('base64url');
}

function limits(app: Deps): Limits {
  let found = cache.get(app.db);
  if (found === undefined) {
    found = createLimits(app);
    cache.set(app.db, found);
  }
  return found;
}

function createLimits({ db, config }: Deps) {
  // Per gateway: a lookup or an export must not write anything.
  const inMemory = (keyPrefix: string, points: number) =>
    new RateLimiterMemory({ keyPrefix, points, duration: 60 });
  // For all gateways, so that more gateways do not allow more guesses.
  const stored = (keyPrefix: string, points: number, duration: number) =>
    new RateLimiterPostgres({
      storeClient: db.pool,
      storeType: 'pool',
      tableName: 'rate_limits',
      tableCreated: true,
      keyPrefix,
      points,
      duration,
    });
  return {
    lookups: inMemory('lookup', config.lookupsPerMinute),
    /** Limits the calls. The number of images is limited in PostgreSQL. */
    uploads: inMemory('upload', UPLOAD_CALLS_PER_MINUTE),
    exports: inMemory('export', EXPORT_CALLS_PER_MINUTE),
    erasures: inMemory('erase', ERASINGS_PER_MINUTE),
    codes: stored('code', config.codesPerHour, 60 * 60),
    account: stored('account', SIGN_IN_FAILURES, SIGN_IN_WINDOW_SECONDS),
    address: stored('address', SIGN_IN_FAILURES_PER_ADDRESS, SIGN_IN_WINDOW_SECONDS),
    setup: stored('setup', SETUPS_PER_ADDRESS, SETUP_WINDOW_SECONDS),
    setups: stored('setups', SETUPS, SETUP_WINDOW_SECONDS),
    factor: stored('factor', CODE_FAILURES, SIGN_IN_WINDOW_SECONDS),
    factorByDay: stored('factorday', CODE_FAILURES_PER_DAY, DAY_SECONDS),
    factorAddress: stored('factoraddress', SIGN_IN_FAILURES_PER_ADDRESS, SIGN_IN_WINDOW_SECONDS),
    ownPassword: stored('ownpassword', PASSWORD_FAILURES, SIGN_IN_WINDOW_SECONDS),
    audited: stored('noted', AUDITED_FAILURES, AUDIT_WINDOW_SECONDS),
    /** Per person, not per subscription: a browser can make new ones, and each test makes us connect. */
    pushTests: stored('pushtest', 1, PUSH_TEST_SECONDS),
  };
}
