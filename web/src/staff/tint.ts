const TINTS = 5;

/** One of five tints, stable per visitor. */
export function tintOf(visitorId: string): number {
  return (Number.parseInt(visitorId.slice(0, 8), 16) % TINTS) + 1 || 1;
}

/** Stable for what has a name but no id. */
export function tintOfWord(word: string): number {
  return (Array.from(word).reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % TINTS) + 1;
}
