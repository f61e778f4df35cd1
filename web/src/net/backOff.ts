const BASE_MS = 500;
const CAP_MS = 30_000;

/**
 * Full jitter: a random delay up to a ceiling that doubles with each failure. After an outage, clients return spread
 * out.
 */
export function backOffDelay(failures: number, random: () => number): number {
  const ceiling = Math.min(CAP_MS, BASE_MS * 2 ** Math.max(0, failures - 1));
  return Math.round(random() * ceiling);
}
