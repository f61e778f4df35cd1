import type { CallName } from '@settee/protocol/calls/http';
import type { Result } from '../../../net/api.ts';
import { backOffDelay } from '../../../net/backOff.ts';
import type { Clock } from '../../../net/clock.ts';
import { isFinalError } from '../../../net/isFinalError.ts';

/** Calls back when the browser is online again. Returns an unsubscribe function. */
export type OnLine = (listener: () => void) => () => void;

export type RetryParts = {
  clock: Clock;
  random: () => number;
  onLine: OnLine;
  isOffline?: () => boolean;
  signal: AbortSignal;
};

/** How long one call is retried, from the specification. */
const OPERATION_RETRY_MS = 2 * 60_000;

/** Retries until the answer is final or the deadline passes. */
export async function retryCall<N extends CallName>(
  ask: () => Promise<Result<N>>,
  patience: RetryParts,
): Promise<Result<N>> {
  const { random, signal } = patience;
  const isOver = retryDeadline(OPERATION_RETRY_MS, patience);
  for (let failures = 1; ; failures += 1) {
    const result = await ask();
    if (result.ok || isFinalError(result.code) || signal.aborted) return result;
    if (isOver()) return result;
    await wait(backOffDelay(failures, random), patience);
    if (signal.aborted) return result;
  }
}

/** Maximum time counted per attempt: the machine may have slept. */
const ONE_TRY_MS = 60_000;

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

/** Resolves after the time, when the network returns, or when aborted. */
export function wait(ms: number, { clock, onLine, signal }: RetryParts): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const timer = clock.setTimeout(end, ms);
    const off = onLine(end);
    signal.addEventListener('abort', end);
    function end(): void {
      clock.clearTimeout(timer);
      off();
      signal.removeEventListener('abort', end);
      resolve();
    }
  });
}
