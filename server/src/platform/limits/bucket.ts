import type { Clock } from '../ports/ports.ts';

export type BucketSize = { burst: number; perSecond: number };

export function scaled({ burst, perSecond }: BucketSize, factor: number): BucketSize {
  return { burst: burst * factor, perSecond: perSecond * factor };
}

/** A token bucket: a burst, then so many per second. It stores only when it is full again, because every socket has two. */
export class Bucket {
  #fullAt = 0;
  readonly #size: BucketSize;
  readonly #clock: Clock;

  constructor(clock: Clock, size: BucketSize) {
    this.#clock = clock;
    this.#size = size;
  }

  /** Takes one token, if there is one. */
  take(): boolean {
    if (this.#tokens() < 1) return false;
    this.charge(1);
    return true;
  }

  /** Takes tokens even if there are too few. Returns the milliseconds until the debt is paid. */
  charge(cost: number): number {
    const { perSecond } = this.#size;
    this.#fullAt = Math.max(this.#fullAt, this.#clock.now()) + (cost * 1_000) / perSecond;
    const tokens = this.#tokens();
    return tokens >= 0 ? 0 : Math.ceil((-tokens * 1_000) / perSecond);
  }

  /** From 1 (full) to 0, or below with a debt. */
  level(): number {
    return this.#tokens() / this.#size.burst;
  }

  #tokens(): number {
    const { burst, perSecond } = this.#size;
    const ms = Math.max(0, this.#fullAt - this.#clock.now());
    return burst - (ms * perSecond) / 1_000;
  }
}
