import type { Random } from '../random.ts';

/** Decides at which byte connections break. */
export class Cuts {
  count = 0;
  /** The average bytes until a cut. */
  after = Number.POSITIVE_INFINITY;
  readonly #random: Random;

  constructor(random: Random) {
    this.#random = random;
  }

  /** For one direction of a connection. Returns how many of the next bytes still arrive. */
  direction(): (bytes: number) => number {
    let drawnFor = this.after;
    let left = this.#draw();
    return (bytes) => {
      if (drawnFor !== this.after) {
        drawnFor = this.after;
        left = this.#draw();
      }
      left -= bytes;
      if (left > 0) return bytes;
      this.count += 1;
      return bytes + left;
    };
  }

  #draw(): number {
    return Number.isFinite(this.after) ? Math.ceil(this.#random.until(this.after)) : this.after;
  }
}
