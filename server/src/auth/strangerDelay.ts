import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { App } from '../app.ts';
import type { Database } from '../db/engine/database.ts';
import { accountKey } from './rateLimits.ts';
import { Refusal } from './refusal.ts';

/** Failed sign-ins per account and day from unknown browsers, at any address, before each further one has to wait. */
export const FREE_FAILURES = 10;
export const FIRST_DELAY_SECONDS = 60;
export const LONGEST_DELAY_SECONDS = 900;
const DAY_SECONDS = 24 * 60 * 60;

type Deps = Pick<App, 'db'>;
type Limiters = { failures: RateLimiterPostgres; turn: RateLimiterPostgres };

const cache = new WeakMap<Database, Limiters>();

/**
 * Limits guessing from many addresses. Counts the attempt before it is made, so that parallel attempts do not evade the
 * limit. After the free failures, one attempt at a time is let through, and the wait doubles. At the longest delay this
 * allows about a hundred guesses per day.
 */
export async function delayStranger({ db }: Deps, email: string): Promise<void> {
  const { failures, turn } = limiters(db);
  const key = keyOf(email);
  const { consumedPoints } = await failures.consume(key);
  if (consumedPoints <= FREE_FAILURES) return;
  const doublings = consumedPoints - FREE_FAILURES - 1;
  const customDuration = Math.min(FIRST_DELAY_SECONDS * 2 ** doublings, LONGEST_DELAY_SECONDS);
  try {
    await turn.consume(key, 1, { customDuration });
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    // Nothing was tried, so it does not count.
    await failures.reward(key);
    const retryAfter = Math.ceil(error.msBeforeNext / 1_000);
    throw new Refusal('too_many', undefined, { retryAfter, limit: 'stranger' });
  }
}

export async function clearStrangerFailures({ db }: Deps, email: string): Promise<void> {
  const { failures, turn } = limiters(db);
  await failures.delete(keyOf(email));
  await turn.delete(keyOf(email));
}

function keyOf(email: string): string {
  return accountKey({ email, address: 'any' });
}

function limiters(db: Database): Limiters {
  const known = cache.get(db);
  if (known !== undefined) return known;
  const limiter = (keyPrefix: string, points: number) =>
    new RateLimiterPostgres({
      storeClient: db.pool,
      storeType: 'pool',
      tableName: 'rate_limits',
      tableCreated: true,
      keyPrefix,
      points,
      duration: DAY_SECONDS,
    });
  const made = {
    failures: limiter('stranger', Number.MAX_SAFE_INTEGER),
    turn: limiter('strangerturn', 1),
  };
  cache.set(db, made);
  return made;
}
