import type { Clock } from '../../../net/clock.ts';

/** Calls back whenever the browser has a network again; returns how to end that. */
export type OnLine = (listener: () => void) => () => void;

type Parts = { clock: Clock; onLine: OnLine; signal: AbortSignal };

/** Until the time has passed, the network is back, or nobody waits any more. */
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
