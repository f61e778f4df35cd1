import type { Clock } from '../net/clock.ts';

/** Rejects after the timeout. Does not cancel the work. */
export function withTimeout<T>(clock: Clock, ms: number, work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = clock.setTimeout(() => reject(new Error(`not done within ${ms} ms`)), ms);
    work.then(resolve, reject).finally(() => clock.clearTimeout(timer));
  });
}
