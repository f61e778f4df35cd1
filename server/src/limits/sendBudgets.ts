import type { Visitor } from '../caller.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../ports.ts';

const PRUNE_EVERY_MS = 60_000;

/** A token bucket for a visitor's sends: a burst, then so many per second, over all their sockets and calls here. */
export class SendBudget {
  sockets = 0;
  #tokens: number;
  #refilledAt: number;
  readonly #burst: number;
  readonly #perSecond: number;
  readonly #clock: Clock;

  constructor(clock: Clock, limits: { burst: number; perSecond: number }) {
    this.#clock = clock;
    this.#burst = limits.burst;
    this.#perSecond = limits.perSecond;
    this.#tokens = limits.burst;
    this.#refilledAt = clock.now();
  }

  take(): boolean {
    this.#refill();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  isFull(): boolean {
    this.#refill();
    return this.#tokens === this.#burst;
  }

  #refill(): void {
    const now = this.#clock.now();
    const earned = ((now - this.#refilledAt) / 1_000) * this.#perSecond;
    this.#tokens = Math.min(this.#burst, this.#tokens + earned);
    this.#refilledAt = now;
  }
}

/**
 * One budget per visitor at this gateway, for sockets and calls. It is kept until it is full again, so that reconnecting
 * does not reset it.
 */
export class SendBudgets {
  readonly #clock: Clock;
  readonly #limits: { burst: number; perSecond: number };
  readonly #budgets = new Map<string, SendBudget>();
  #prunedAt: number;

  constructor(clock: Clock, { sendBurst, sendPerSecond }: Pick<Config, 'sendBurst' | 'sendPerSecond'>) {
    this.#clock = clock;
    this.#limits = { burst: sendBurst, perSecond: sendPerSecond };
    this.#prunedAt = clock.now();
  }

  of({ visitorId }: Visitor): SendBudget {
    this.#prune();
    let budget = this.#budgets.get(visitorId);
    if (budget === undefined) {
      budget = new SendBudget(this.#clock, this.#limits);
      this.#budgets.set(visitorId, budget);
    }
    return budget;
  }

  #prune(): void {
    const now = this.#clock.now();
    if (now - this.#prunedAt < PRUNE_EVERY_MS) return;
    this.#prunedAt = now;
    for (const [visitorId, budget] of this.#budgets) {
      if (budget.sockets === 0 && budget.isFull()) this.#budgets.delete(visitorId);
    }
  }
}
