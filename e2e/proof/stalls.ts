const TICK_MS = 50;
/** Shorter pauses are normal. */
const NOTICED_MS = 200;

/**
 * Notes when this process could not run, because the machine stood still or had other work. A limit of the product does
 * not count that time: nobody could have seen what happened meanwhile.
 */
export class Stalls {
  readonly #found: { from: number; to: number }[] = [];
  #last = performance.now();

  constructor() {
    setInterval(() => {
      const now = performance.now();
      if (now - this.#last > TICK_MS + NOTICED_MS) this.#found.push({ from: this.#last, to: now });
      this.#last = now;
    }, TICK_MS).unref();
  }

  /** The milliseconds of this period without the stalls. On the clock of `performance.now()`. */
  without(from: number, to: number): number {
    const stalled = this.#found.reduce(
      (sum, stall) => sum + Math.max(0, Math.min(to, stall.to) - Math.max(from, stall.from)),
      0,
    );
    return to - from - stalled;
  }
}
