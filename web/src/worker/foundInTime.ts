import { systemClock } from '../net/clock.ts';
import { within } from '../push/within.ts';

/** Storage that hangs keeps no notification back: whoever shows none in time loses the right to push. */
const FOUND_WITHIN_MS = 1_000;

/** What storage knows; undefined where it fails or does not answer. */
export function foundInTime<T>(finding: Promise<T>): Promise<T | undefined> {
  return within(systemClock, FOUND_WITHIN_MS, finding).catch(() => undefined);
}
