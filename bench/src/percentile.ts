/** The value below which the share `p` of the samples lies; NaN without samples. */
export function percentile(samples: Iterable<number>, p: number): number {
  const sorted = Float64Array.from(samples).sort();
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * p))] ?? Number.NaN;
}

export function median(samples: Iterable<number>): number {
  return percentile(samples, 0.5);
}

export type Spread = { p50: number; p99: number };

export function spread(samples: Iterable<number>): Spread {
  const all = [...samples];
  return { p50: median(all), p99: percentile(all, 0.99) };
}
