import type { Clock } from '../ports.ts';

/** Sends a visitor may still make: a burst, then so many a second, over all their sockets and calls here. */
export class SendBudget {
  sockets = 0;
  #tokens: number;
  #filledAt: number;
  readonly #burst: number;
  readonly #perSecond: number;
  readonly #clock: Clock;

  constructor(clock: Clock, limits: { burst: number; perSecond: number }) {
    this.#clock = clock;
    this.#burst = limits.burst;
    this.#perSecond = limits.perSecond;
    this.#tokens = limits.burst;
    this.#filledAt = clock.now();
  }

  take(): boolean {
    this.#fill();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  isFull(): boolean {
    this.#fill();
    return this.#tokens === this.#burst;
  }

  #fill(): void {
    const now = this.#clock.now();
    const earned = ((now - this.#filledAt) / 1_000) * this.#perSecond;
    this.#tokens = Math.min(this.#burst, this.#tokens + earned);
    this.#filledAt = now;
  }
}
