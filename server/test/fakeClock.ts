import type { Clock } from '../src/ports.ts';

type Timer = { due: number; run: () => void };

export type FakeClock = Clock & {
  /** Lets time pass: what falls due runs in its order, each at its own moment, and what that starts too. */
  advance(ms: number): void;
};

/** Time that stands still until a test moves it. */
export function fakeClock(start = Date.UTC(2026, 0, 1)): FakeClock {
  let now = start;
  const timers = new Set<Timer>();
  const nextBy = (end: number): Timer | undefined => {
    // Insertion order among equals, as real timers keep it.
    let next: Timer | undefined;
    for (const timer of timers) {
      if (timer.due <= end && (next === undefined || timer.due < next.due)) next = timer;
    }
    return next;
  };
  return {
    now: () => now,
    after(ms, run) {
      // At least one, as real timers: a chain of zeros must not hold time for ever.
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
