import { setTimeout as wait } from 'node:timers/promises';

const LOCK_NOT_AVAILABLE = '55P03';
/** Everybody else works meanwhile. */
const PAUSE_MS = 1_000;
/** Autovacuum can hold a lock for minutes. */
const TRIES = 300;

export function isLocked(error: unknown): boolean {
  return (error as { code?: string }).code === LOCK_NOT_AVAILABLE;
}

/** Repeats work that did not get a lock in time. Each attempt must be a transaction of its own. */
export async function retryLocked(work: () => Promise<void>, onRetry: () => void): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!isLocked(error)) throw error;
      if (tries === TRIES)
        throw new Error(
          'Another session holds a lock on a table that the migration changes. Find it in pg_stat_activity, end it, and run settee migrate again.',
          { cause: error },
        );
      onRetry();
      await wait(PAUSE_MS);
    }
  }
}
