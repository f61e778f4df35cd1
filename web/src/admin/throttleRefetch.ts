import type { Clock } from '../net/clock.ts';

const REST_MS = 1_000;
/** Of a server that answers slowly, all open pages together must not ask without a pause. */
const REST_PER_MS = 10;
const REST_AT_MOST_MS = 30_000;

export type ThrottledRefetch = { came(): void; stop(): void };

/**
 * A busy installation tells of something twice a second: the first news is followed at once, the rest together, after a
 * rest. The slower the answer was, the longer the rest.
 */
export function throttleRefetch(
  read: () => Promise<unknown>,
  clock: Clock,
  restMs = REST_MS,
): ThrottledRefetch {
  let state: 'idle' | 'busy' | 'stopped' = 'idle';
  let again = false;
  let timer: unknown;

  async function follow(): Promise<void> {
    state = 'busy';
    again = false;
    const began = clock.now();
    await read().catch(() => undefined);
    if (isStopped()) return;
    const rest = Math.min(Math.max(restMs, (clock.now() - began) * REST_PER_MS), REST_AT_MOST_MS);
    timer = clock.setTimeout(() => {
      state = 'idle';
      if (again) void follow();
    }, rest);
  }
  const isStopped = () => state === 'stopped';

  return {
    came() {
      again = true;
      if (state === 'idle') void follow();
    },
    stop() {
      state = 'stopped';
      clock.clearTimeout(timer);
    },
  };
}
