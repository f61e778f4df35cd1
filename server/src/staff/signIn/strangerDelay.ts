import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import type { App } from '../../platform/app.ts';
import { accountKey } from '../../platform/auth/rateLimits.ts';
import { Refusal } from '../../platform/auth/refusal.ts';
import type { Database } from '../../platform/db/database.ts';

/** Failed sign-ins per account and day from unknown browsers, at any address, before each further one has to wait. */
export const FREE_FAILURES = 10;
export const FIRST_DELAY_SECONDS = 60;
export const LONGEST_DELAY_SECONDS = 900;
/** An address with more attempts for an account within a day is no longer new to it. */
export const NEW_ADDRESS_ATTEMPTS = 3;
const DAY_SECONDS = 24 * 60 * 60;

type Deps = Pick<App, 'db'>;
type Who = { email: string; address: string };
type Limiters = Record<'failures' | 'fromAddress' | 'turn' | 'newTurn', RateLimiterPostgres>;

const cache = new WeakMap<Database, Limiters>();

/**
 * Limits guessing from many addresses. Counts the attempt before it is made, so that parallel attempts do not evade the
 * limit. After the free failures, one attempt at a time is let through, and the wait doubles. At the longest delay this
 * allows about a hundred guesses per day. An address that is new to the account waits for other new ones only, a minute
 * at most: otherwise strangers could keep the owner out by guessing on. Returns the refusal of an attempt that must wait.
 */
export async function delayStranger({ db }: Deps, who: Who): Promise<Refusal | undefined> {
  const { failures, fromAddress, turn, newTurn } = limiters(db);
  const key = keyOf(who);
  const { consumedPoints } = await failures.consume(key);
  const { consumedPoints: ownAttempts } = await fromAddress.consume(accountKey(who));
  if (consumedPoints <= FREE_FAILURES) return undefined;
  try {
    if (ownAttempts <= NEW_ADDRESS_ATTEMPTS) {
      await newTurn.consume(key, 1, { customDuration: FIRST_DELAY_SECONDS });
    } else {
      const doublings = consumedPoints - FREE_FAILURES - 1;
      const customDuration = Math.min(FIRST_DELAY_SECONDS * 2 ** doublings, LONGEST_DELAY_SECONDS);
      await turn.consume(key, 1, { customDuration });
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof RateLimiterRes)) throw error;
    // Nothing was tried, so it does not count.
    await failures.reward(key);
    await fromAddress.reward(accountKey(who));
    const retryAfter = Math.ceil(error.msBeforeNext / 1_000);
    return new Refusal('too_many', undefined, { retryAfter, limit: 'stranger' });
  }
}

export async function clearStrangerFailures({ db }: Deps, who: Who): Promise<void> {
  const { failures, fromAddress, turn, newTurn } = limiters(db);
  for (const limiter of [failures, turn, newTurn]) await limiter.delete(keyOf(who));
  await fromAddress.delete(accountKey(who));
}

function keyOf({ email }: Who): string {
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
    fromAddress: limiter('strangerfrom', Number.MAX_SAFE_INTEGER),
    turn: limiter('strangerturn', 1),
    newTurn: limiter('strangernew', 1),
  };
  cache.set(db, made);
  return made;
}
