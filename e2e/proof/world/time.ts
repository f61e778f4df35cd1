import { setTimeout as sleep } from 'node:timers/promises';

/** Only for runs that hang. */
export const PATIENCE_MS = 180_000;

/** Returns whether the condition became true in time. */
export async function until(holds: () => boolean, withinMs = PATIENCE_MS): Promise<boolean> {
  const deadline = performance.now() + withinMs;
  while (!holds()) {
    if (performance.now() > deadline) return false;
    await sleep(20);
  }
  return true;
}

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

export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

/** Median, p99 and maximum, for a figure. */
export function spread(values: readonly number[]): string {
  if (values.length === 0) return 'none';
  const max = values.reduce((longest, ms) => Math.max(longest, ms), 0);
  const [p50, p99, slowest] = [quantile(values, 0.5), quantile(values, 0.99), max].map(Math.round);
  return `p50 ${p50} ms, p99 ${p99} ms, slowest ${slowest} ms (${values.length})`;
}
