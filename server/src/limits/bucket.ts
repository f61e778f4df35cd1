import type { Clock } from '../ports.ts';

export type BucketSize = { burst: number; perSecond: number };

export function scaled({ burst, perSecond }: BucketSize, factor: number): BucketSize {
  return { burst: burst * factor, perSecond: perSecond * factor };
}

/** A token bucket: a burst, then so many per second. */
export class Bucket {
  #tokens: number;
  #refilledAt: number;
  readonly #size: BucketSize;
  readonly #clock: Clock;

  constructor(clock: Clock, size: BucketSize) {
    this.#clock = clock;
    this.#size = size;
    this.#tokens = size.burst;
    this.#refilledAt = clock.now();
  }

  /** Takes one token, if there is one. */
  take(): boolean {
    this.#refill();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Takes tokens even if there are too few. Returns the milliseconds until the debt is paid. */
  charge(cost: number): number {
    this.#refill();
    this.#tokens -= cost;
    return this.#tokens >= 0 ? 0 : Math.ceil((-this.#tokens * 1_000) / this.#size.perSecond);
  }

  /** From 1 (full) to 0, or below with a debt. */
  level(): number {
    this.#refill();
    return this.#tokens / this.#size.burst;
  }

  #refill(): void {
    const now = this.#clock.now();
    const earned = ((now - this.#refilledAt) / 1_000) * this.#size.perSecond;
    this.#tokens = Math.min(this.#size.burst, this.#tokens + earned);
    this.#refilledAt = now;
  }
}
