import { createHash } from 'node:crypto';
import { RateLimiterMemory, RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { App } from '../app.ts';
import type { Database } from '../db/engine/database.ts';
import { Refusal } from './refusal.ts';

type Needs = Pick<App, 'config' | 'db'>;

export const SIGN_IN_FAILURES = 5;
export const SIGN_IN_FAILURES_PER_ADDRESS = 50;
export const SIGN_IN_WINDOW_SECONDS = 15 * 60;
export const PUSH_TEST_SECONDS = 10;
export const SETUPS_PER_ADDRESS = 10;
/** The code has 80 bits: this is about work, not about luck. */
const SETUPS = 300;
export const SETUP_WINDOW_SECONDS = 15 * 60;

/** Three of a million codes are right at a time: a hundred days of trying find one with a chance of less than 1 %. */
export const CODE_FAILURES = 5;
export const CODE_FAILURES_PER_DAY = 30;
const DAY_SECONDS = 24 * 60 * 60;
/** Failed sign-ins of one account by one step that the audit log tells of: nobody can prune it, strangers could fill it. */
const FAILURES_NOTED = 5;
const NOTED_WINDOW_SECONDS = 60 * 60;
/** Typing the own password again, in an open session. */
export const PASSWORD_FAILURES = 5;

/** For one person: more than a hand can pick, few enough that asking again and again is no work for the store. */
export const UPLOAD_CALLS_PER_MINUTE = 120;

/** The longest conversations are a few hundred pages; nobody has more than a few to erase. */
export const EXPORT_CALLS_PER_MINUTE = 300;
export const ERASINGS_PER_MINUTE = 5;

type Limiter = RateLimiterMemory | RateLimiterPostgres;
type Limits = Record<
  | 'exports'
  | 'erasing'
  | 'lookups'
  | 'codes'
  | 'account'
  | 'address'
  | 'uploads'
  | 'pushTests'
  | 'factor'
  | 'factorByDay'
  | 'factorAddress'
  | 'ownPassword'
  | 'noted'
  | 'setup'
  | 'setups',
  Limiter
>;

const made = new WeakMap<Database, Limits>();

/** Looking an invite up writes nothing, not even a count: each gateway counts for itself. */
export async function allowLookup(app: Needs, address: string): Promise<void> {
  await take(limits(app).lookups, address);
}

/** Counted in PostgreSQL, so that more gateways do not mean more guesses. */
export async function allowCode(app: Needs, address: string): Promise<void> {
  await take(limits(app).codes, address);
}

/** How many images may be sent is counted elsewhere, in PostgreSQL; this is about the calls. */
export async function allowUploadCall(app: Needs, authorId: string): Promise<void> {
  await take(limits(app).uploads, authorId);
}

/**
 * Counts a sign-in as failed before it is tried, so that a hundred at once are no way round. Per
 * account and address, which a stranger elsewhere cannot use to lock the owner out; and per address.
 */
export async function allowSignIn(app: Needs, who: { email: string; address: string }): Promise<void> {
  await take(limits(app).account, accountKey(who));
  await take(limits(app).address, who.address);
}

export async function forgetSignIn(app: Needs, who: { email: string; address: string }): Promise<void> {
  await limits(app).account.delete(accountKey(who));
  await limits(app).address.reward(who.address);
}

/** Tries to become the first administrator, from one address and from all of them. */
export async function allowSetup(app: Needs, address: string): Promise<void> {
  await take(limits(app).setup, address);
  await take(limits(app).setups, 'all');
}

/**
 * Counts a second step as failed before it is tried. Per account, from wherever, for what can be guessed: only who knows
 * the password comes this far, so nobody else can lock the owner out. A passkey cannot be guessed, and stays a way in.
 */
export async function allowSecondFactor(
  app: Needs,
  attempt: { staffId: string; address: string; guessable: boolean },
): Promise<void> {
  const { factor, factorByDay, factorAddress } = limits(app);
  await take(factorAddress, attempt.address);
  if (!attempt.guessable) return;
  await take(factor, attempt.staffId);
  await take(factorByDay, attempt.staffId);
}

export async function forgiveSecondFactor(
  app: Needs,
  attempt: { staffId: string; address: string },
): Promise<void> {
  await forgetFactorFailures(app, attempt.staffId);
  await limits(app).factorAddress.reward(attempt.address);
}

/** The password or the factors are others now: what was tried against those before does not count. */
export async function forgetFactorFailures(app: Needs, staffId: string): Promise<void> {
  const { factor, factorByDay } = limits(app);
  await factor.delete(staffId);
  await factorByDay.delete(staffId);
}

/** Whether one more failed sign-in is to be told of. */
export async function mayNoteFailure(app: Needs, staffId: string, step: string): Promise<boolean> {
  try {
    await limits(app).noted.consume(`${staffId}:${step}`);
    return true;
  } catch (error) {
    if (error instanceof RateLimiterRes) return false;
    throw error;
  }
}

/** Whoever sits at an open session is not to guess the password there. */
export async function allowOwnPassword(app: Needs, staffId: string): Promise<void> {
  await take(limits(app).ownPassword, staffId);
}

export async function forgiveOwnPassword(app: Needs, staffId: string): Promise<void> {
  await limits(app).ownPassword.delete(staffId);
}

/** One test notification per person in this time: each makes us dial, and a browser can have itself named anew. */
export async function allowPushTest(app: Needs, person: string): Promise<void> {
  await take(limits(app).pushTests, person);
}

/** Of one's own, in pages. Each gateway counts for itself, as where uploads are counted: nothing of it is written down. */
export async function allowExport(app: Needs, visitorId: string): Promise<void> {
  await take(limits(app).exports, visitorId);
}

export async function allowErasing(app: Needs, visitorId: string): Promise<void> {
  await take(limits(app).erasing, visitorId);
}

async function take(limiter: Limiter, key: string): Promise<void> {
  try {
    await limiter.consume(key);
  } catch (error) {
    if (error instanceof RateLimiterRes) throw new Refusal('too_many');
    throw error;
  }
}

/** A hash: the table needs no e-mail addresses, and an address of 254 characters still fits its key. */
export function accountKey({ email, address }: { email: string; address: string }): string {
  return createHash('sha256').update(`${email.toLowerCase()} ${address}`).digest('base64url');
}

function limits(app: Needs): Limits {
  const known = made.get(app.db);
  if (known !== undefined) return known;
  const stored = (keyPrefix: string, points: number, duration: number) =>
    new RateLimiterPostgres({
      storeClient: app.db.pool,
      storeType: 'pool',
      tableName: 'rate_limits',
      tableCreated: true,
      keyPrefix,
      points,
      duration,
    });
  const { lookupsPerMinute, codesPerHour } = app.config;
  const fresh: Limits = {
    lookups: new RateLimiterMemory({ keyPrefix: 'lookup', points: lookupsPerMinute, duration: 60 }),
    uploads: new RateLimiterMemory({ keyPrefix: 'upload', points: UPLOAD_CALLS_PER_MINUTE, duration: 60 }),
    exports: new RateLimiterMemory({ keyPrefix: 'export', points: EXPORT_CALLS_PER_MINUTE, duration: 60 }),
    erasing: new RateLimiterMemory({ keyPrefix: 'erase', points: ERASINGS_PER_MINUTE, duration: 60 }),
    codes: stored('code', codesPerHour, 60 * 60),
    account: stored('account', SIGN_IN_FAILURES, SIGN_IN_WINDOW_SECONDS),
    address: stored('address', SIGN_IN_FAILURES_PER_ADDRESS, SIGN_IN_WINDOW_SECONDS),
    setup: stored('setup', SETUPS_PER_ADDRESS, SETUP_WINDOW_SECONDS),
    setups: stored('setups', SETUPS, SETUP_WINDOW_SECONDS),
    factor: stored('factor', CODE_FAILURES, SIGN_IN_WINDOW_SECONDS),
    factorByDay: stored('factorday', CODE_FAILURES_PER_DAY, DAY_SECONDS),
    factorAddress: stored('factoraddress', SIGN_IN_FAILURES_PER_ADDRESS, SIGN_IN_WINDOW_SECONDS),
    ownPassword: stored('ownpassword', PASSWORD_FAILURES, SIGN_IN_WINDOW_SECONDS),
    noted: stored('noted', FAILURES_NOTED, NOTED_WINDOW_SECONDS),
    pushTests: stored('pushtest', 1, PUSH_TEST_SECONDS),
  };
  made.set(app.db, fresh);
  return fresh;
}
