import type { Clock } from '../../web/src/net/clock.ts';

type Timer = { due: number; run: () => void; handle: NodeJS.Timeout | undefined };

/** The clock of a page whose machine can sleep: no timer fires meanwhile, and afterwards it is later at once. */
export class SleepingClock implements Clock {
  #behindMs: number;
  #asleepAt: number | undefined;
  readonly #timers = new Set<Timer>();

  /** `behindMs`: how long the sleep will last. */
  constructor(behindMs: number) {
    this.#behindMs = behindMs;
  }

  now(): number {
    return this.#asleepAt ?? Date.now() - this.#behindMs;
  }

  setTimeout(run: () => void, ms: number): Timer {
    const timer: Timer = { due: this.now() + ms, run, handle: undefined };
    this.#timers.add(timer);
    this.#start(timer);
    return timer;
  }

  clearTimeout(timer: unknown): void {
    clearTimeout((timer as Timer | undefined)?.handle);
    this.#timers.delete(timer as Timer);
  }

  sleep(): void {
    this.#asleepAt = this.now();
    for (const { handle } of this.#timers) clearTimeout(handle);
  }

  wake(): void {
    this.#asleepAt = undefined;
    this.#behindMs = 0;
    for (const timer of [...this.#timers].sort((a, b) => a.due - b.due)) this.#start(timer);
  }

  #start(timer: Timer): void {
    if (this.#asleepAt !== undefined) return;
    const run = (): void => {
      this.#timers.delete(timer);
      timer.run();
    };
    timer.handle = setTimeout(run, Math.max(0, timer.due - this.now()));
  }
}
