const BASE_MS = 500;
const CAP_MS = 30_000;

/**
 * Full jitter: anywhere between nothing and a ceiling that doubles with each failure. After an outage a million
 * pages come back spread out, not in waves.
 */
export function backOffDelay(failures: number, random: () => number): number {
  const ceiling = Math.min(CAP_MS, BASE_MS * 2 ** Math.max(0, failures - 1));
  return Math.round(random() * ceiling);
}
