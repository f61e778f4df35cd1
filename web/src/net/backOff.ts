const BASE_MS = 500;
/** If nothing answers, or the server asks to slow down. */
const CAP_MS = 30_000;
/** For a gateway that answers, but cannot serve now. Refusing is cheap, and its database may be back at any moment. */
export const ANSWERED_CAP_MS = 8_000;

/**
 * Full jitter: a random delay up to a ceiling that doubles with each failure. After an outage, clients return spread
 * out.
 */
export function backOffDelay(failures: number, random: () => number, capMs = CAP_MS): number {
  const ceiling = Math.min(capMs, BASE_MS * 2 ** Math.max(0, failures - 1));
  return Math.round(random() * ceiling);
}
