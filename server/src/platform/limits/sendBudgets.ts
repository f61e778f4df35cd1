import type { Config } from '../config/config.ts';
import type { Visitor } from '../ports/caller.ts';
import type { Clock } from '../ports/ports.ts';
import { Bucket, type BucketSize } from './bucket.ts';

const PRUNE_EVERY_MS = 60_000;

/** The budget for a visitor's sends, over all their sockets and calls here. */
export class SendBudget extends Bucket {
  sockets = 0;
}

/**
 * One budget per visitor at this gateway, for sockets and calls. It is kept until it is full again, so that reconnecting
 * does not reset it.
 */
export class SendBudgets {
  readonly #clock: Clock;
  readonly #limits: BucketSize;
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
      if (budget.sockets === 0 && budget.level() === 1) this.#budgets.delete(visitorId);
    }
  }
}
