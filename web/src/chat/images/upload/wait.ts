import type { Clock } from '../../../net/clock.ts';

/** Calls back when the browser is online again. Returns an unsubscribe function. */
export type OnLine = (listener: () => void) => () => void;

type Parts = { clock: Clock; onLine: OnLine; signal: AbortSignal };

/** Resolves after the time, when the network returns, or when aborted. */
export function wait(ms: number, { clock, onLine, signal }: Parts): Promise<void> {
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
