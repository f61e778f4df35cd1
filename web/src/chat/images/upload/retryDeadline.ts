import type { Clock } from '../../../net/clock.ts';
import type { OnLine } from './wait.ts';

/** One try and the wait behind it take no longer, unless the machine was asleep. */
const ONE_TRY_MS = 60_000;

export type RetryParts = {
  clock: Clock;
  random: () => number;
  onLine: OnLine;
  /** The browser says that there is no network at all. */
  isOffline?: () => boolean;
  signal: AbortSignal;
};

/**
 * Told of every failure, answers whether it has been trying for so long. Only time in which a try could have helped
 * counts: a person in a tunnel, or with the lid closed, was promised that it goes on afterwards.
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
