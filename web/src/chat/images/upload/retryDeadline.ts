import type { Clock } from '../../../net/clock.ts';
import type { OnLine } from './wait.ts';

/** Maximum time counted per attempt: the machine may have slept. */
const ONE_TRY_MS = 60_000;

export type RetryParts = {
  clock: Clock;
  random: () => number;
  onLine: OnLine;
  /** The browser reports that it is offline. */
  isOffline?: () => boolean;
  signal: AbortSignal;
};

/**
 * Call after every failure. Returns whether the deadline has passed. Only time in which a retry could have helped
 * counts, so uploads continue after a tunnel or a closed lid.
 */
export function retryDeadline(
  ms: number,
  { clock, isOffline }: Pick<RetryParts, 'clock' | 'isOffline'>,
): () => boolean {
  let before = clock.now();
  let spent = 0;
  return () => {
    const now = clock.now();
    if (!isOffline?.()) spent += Math.min(now - before, ONE_TRY_MS);
    before = now;
    return spent >= ms;
  };
}
