/**
 * A histogram without labels. One observation in prom-client costs a third of a microsecond, and a message has several.
 * So they are counted here, and prom-client only reads the result.
 */
export class Distribution {
  readonly #bounds: readonly number[];
  readonly #counts: Float64Array;
  #sum = 0;

  /** Ascending upper bounds. One more bucket counts values above the last. */
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

  /** Cumulative, as Prometheus expects. */
  read(): { sum: number; count: number; upTo: { bound: number | '+Inf'; count: number }[] } {
    let count = 0;
    const upTo = [...this.#counts].map((here, at) => {
      count += here;
      return { bound: this.#bounds[at] ?? ('+Inf' as const), count };
    });
    return { sum: this.#sum, count, upTo };
  }
}
