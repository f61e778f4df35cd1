import type { Clock } from '../../src/platform/ports/ports.ts';

type Timer = { due: number; run: () => void };

export type FakeClock = Clock & {
  /** Lets time pass. Timers run in order, each at its own time, including those that they start. */
  advance(ms: number): void;
};

/** A clock that only the test moves. */
export function fakeClock(start = Date.UTC(2026, 0, 1)): FakeClock {
  let now = start;
  const timers = new Set<Timer>();
  const nextBy = (end: number): Timer | undefined => {
    // Insertion order for equal times, as with real timers.
    let next: Timer | undefined;
    for (const timer of timers) {
      if (timer.due <= end && (next === undefined || timer.due < next.due)) next = timer;
    }
    return next;
  };
  return {
    now: () => now,
    after(ms, run) {
      // At least 1 ms, as with real timers: a chain of zeros must not stop time.
      const timer = { due: now + Math.max(1, ms), run };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    advance(ms) {
      const end = now + ms;
      for (let timer = nextBy(end); timer !== undefined; timer = nextBy(end)) {
        timers.delete(timer);
        now = timer.due;
        timer.run();
      }
      now = end;
    },
  };
}
