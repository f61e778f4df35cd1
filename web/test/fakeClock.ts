import type { Clock } from '../src/net/clock.ts';

export type FakeClock = Clock & {
  pass(ms: number): Promise<void>;
  /** The machine sleeps: time passes, and timers fire only afterwards. */
  sleep(ms: number): void;
};

/** A clock that moves only when the test moves it. Promises settle in between. */
export function fakeClock(): FakeClock {
  let now = 0;
  let count = 0;
  const timers = new Map<number, { at: number; callback: () => void }>();
  // A browser has no setImmediate.
  const soon = globalThis.setImmediate ?? setTimeout;
  const settle = () => new Promise<void>((resolve) => soon(resolve));
  return {
    now: () => now,
    setTimeout(callback, ms) {
      count += 1;
      timers.set(count, { at: now + ms, callback });
      return count;
    },
    clearTimeout(timer) {
      timers.delete(timer as number);
    },
    sleep(ms) {
      now += ms;
    },
    async pass(ms) {
      const end = now + ms;
      await settle();
      for (;;) {
        const due = [...timers].filter(([, { at }]) => at <= end).sort((a, b) => a[1].at - b[1].at)[0];
        if (!due) break;
        timers.delete(due[0]);
        now = Math.max(now, due[1].at);
        due[1].callback();
        await settle();
      }
      now = end;
    },
  };
}
