import { systemClock } from '../net/clock.ts';
import { withTimeout } from '../push/withTimeout.ts';

/** Slow storage must not delay a notification: browsers revoke the permission if a push shows none in time. */
const READ_WITHIN_MS = 1_000;

/** The stored value; undefined if storage fails or does not answer. */
export function readWithTimeout<T>(reading: Promise<T>): Promise<T | undefined> {
  return withTimeout(systemClock, READ_WITHIN_MS, reading).catch(() => undefined);
}
