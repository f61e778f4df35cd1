import { setTimeout as sleep } from 'node:timers/promises';
import type { Random } from '../../server/src/ports.ts';

/** Human time, out of one seed, that ends when the demo does. */
export class Pace {
  readonly #random: Random;
  readonly #over: AbortSignal;

  constructor(random: Random, over: AbortSignal) {
    this.#random = random;
    this.#over = over;
  }

  get isOver(): boolean {
    return this.#over.aborted;
  }

  /** Between so many seconds; shorter only when all is over. */
  async pause(from: number, to: number): Promise<void> {
    const ms = from * 1_000 + this.#random.below(Math.max(1, (to - from) * 1_000));
    await sleep(ms, undefined, { signal: this.#over }).catch(() => {});
  }

  pick<T>(from: readonly T[]): T {
    const chosen = from[this.#random.below(from.length)];
    if (chosen === undefined) throw new Error('nothing to pick from');
    return chosen;
  }

  below(limit: number): number {
    return this.#random.below(limit);
  }
}
