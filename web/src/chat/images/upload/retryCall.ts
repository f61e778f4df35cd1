import type { CallName } from '@settee/protocol/calls/http';
import type { Result } from '../../../net/api.ts';
import { backOffDelay } from '../../../net/backOff.ts';
import { isFinalError } from '../../../net/isFinalError.ts';
import { type RetryParts, retryDeadline } from './retryDeadline.ts';
import { wait } from './wait.ts';

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
