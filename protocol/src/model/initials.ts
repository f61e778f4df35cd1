const INITIALS_MAX = 2;

/** First letters of the words, at most two; by code point, so that no letter is cut in half. */
export function initials(name: string): string {
  return name
    .trim()
    .split(/\s+/u)
    .map((word) => Array.from(word.toUpperCase())[0] ?? '')
    .slice(0, INITIALS_MAX)
    .join('');
}
