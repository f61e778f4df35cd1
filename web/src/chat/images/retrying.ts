import type { CallName } from '@settee/protocol/http';
import type { Result } from '../../net/api.ts';
import { backOffDelay } from '../../net/backOff.ts';
import type { Clock } from '../../net/clock.ts';
import { isFinal } from '../../net/isFinal.ts';
import { type OnLine, wait } from './wait.ts';

/** For how long one call is tried again, as the specification has it. */
const OPERATION_RETRY_MS = 2 * 60_000;

export type Patience = { clock: Clock; random: () => number; onLine: OnLine; signal: AbortSignal };

/** Asks until there is an answer that another try would not change, or the time for it is over. */
export async function retrying<N extends CallName>(
  ask: () => Promise<Result<N>>,
  { clock, random, onLine, signal }: Patience,
): Promise<Result<N>> {
  const began = clock.now();
  for (let failures = 1; ; failures += 1) {
    const result = await ask();
    if (result.ok || isFinal(result.code) || signal.aborted) return result;
    if (clock.now() - began >= OPERATION_RETRY_MS) return result;
    await wait(backOffDelay(failures, random), { clock, onLine, signal });
    if (signal.aborted) return result;
  }
}
