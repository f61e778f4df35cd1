import { systemClock } from '../net/clock.ts';
import { withTimeout } from '../push/withTimeout.ts';

/** Storage that hangs keeps no notification back: whoever shows none in time loses the right to push. */
const FOUND_WITHIN_MS = 1_000;

/** What storage knows; undefined where it fails or does not answer. */
export function readWithTimeout<T>(finding: Promise<T>): Promise<T | undefined> {
  return withTimeout(systemClock, FOUND_WITHIN_MS, finding).catch(() => undefined);
}
