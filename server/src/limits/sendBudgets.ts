import type { Visitor } from '../caller.ts';
import type { Config } from '../config/config.ts';
import type { Clock } from '../ports.ts';
import { SendBudget } from './sendBudget.ts';

const PRUNE_EVERY_MS = 60_000;

/**
 * One budget for each visitor who sends here, whether over sockets or by calls. It is kept until it is full again:
 * coming back with a new socket, or without one, is no way to a new one.
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
