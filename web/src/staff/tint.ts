const TINTS = 5;

/** One of five tints, stable per visitor. */
export function tintOf(visitorId: string): number {
  return (Number.parseInt(visitorId.slice(0, 8), 16) % TINTS) + 1 || 1;
}
