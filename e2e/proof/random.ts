import { createHash } from 'node:crypto';

/** A seeded random generator: the same seed gives the same plan, texts and cuts. */
export class Random {
  #state: number;
  #minted = 0;
  readonly #name: string;

  constructor(seed: number, name = String(seed)) {
    this.#state = seed >>> 0;
    this.#name = name;
  }

  /** Mulberry32: from 0 to below 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = this.#state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  between(low: number, high: number): number {
    return low + this.next() * (high - low);
  }

  /** An integer, both ends included. */
  whole(low: number, high: number): number {
    return low + Math.floor(this.next() * (high - low + 1));
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(from: readonly T[]): T {
    const picked = from[this.whole(0, from.length - 1)];
    if (picked === undefined) throw new Error('nothing to pick from');
    return picked;
  }

  /** The time until an event that happens every `mean` on average. */
  until(mean: number): number {
    return -Math.log(1 - this.next()) * mean;
  }

  shuffled<T>(items: readonly T[]): T[] {
    return items
      .map((item) => ({ item, at: this.next() }))
      .sort((a, b) => a.at - b.at)
      .map(({ item }) => item);
  }

  /** From the name of the generator and a counter, because 32 random bits would collide. */
  uuid(): string {
    this.#minted += 1;
    const digits = createHash('sha256').update(`${this.#name} ${this.#minted}`).digest('hex');
    return [
      digits.slice(0, 8),
      digits.slice(8, 12),
      `4${digits.slice(13, 16)}`,
      `8${digits.slice(17, 20)}`,
      digits.slice(20, 32),
    ].join('-');
  }

  /** A separate generator for one part of the run, independent of the others. */
  fork(name: string): Random {
    let hash = 2_166_136_261 ^ this.#state;
    for (const char of name) hash = Math.imul(hash ^ (char.codePointAt(0) ?? 0), 16_777_619);
    return new Random(hash, `${this.#name} ${name}`);
  }
}
