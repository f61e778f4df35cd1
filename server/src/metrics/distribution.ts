/**
 * How often a value fell into each bucket. What prom-client does for one observation costs a third of a microsecond,
 * most of it for labels; a message has several, so those are counted here and only read by it.
 */
export class Distribution {
  readonly #bounds: readonly number[];
  readonly #counts: Float64Array;
  #sum = 0;

  /** Upper bounds, growing; above the last there is one bucket more. */
  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    const bounds = this.#bounds;
    let at = 0;
    while (at < bounds.length && value > (bounds[at] as number)) at += 1;
    this.#counts[at] = (this.#counts[at] as number) + 1;
    this.#sum += value;
  }

  /** As Prometheus wants it: each bucket also counts all below it. */
  read(): { sum: number; count: number; upTo: { bound: number | '+Inf'; count: number }[] } {
    let count = 0;
    const upTo = [...this.#counts].map((here, at) => {
      count += here;
      return { bound: this.#bounds[at] ?? ('+Inf' as const), count };
    });
    return { sum: this.#sum, count, upTo };
  }
}
