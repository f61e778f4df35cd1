/**
 * Removes personal data from an error message, which may quote a value, the beginning of a broken body or a URL. Rather
 * removes too much: the kind of error and the text around the quotes remain.
 */
export function scrub(text: string): string {
  const cut = text.length > LONGEST;
  // The pattern of a token that was cut in half would not match.
  let left = cut ? text.slice(0, LONGEST).replace(/\S+$/, '') : text;
  left = left.replace(NAMED, '$1 $2').replace(READING, '$1 $2');
  for (const marks of [DOUBLE, SINGLE, BACK]) left = withoutQuoted(left, marks, cut);
  return left
    .replace(ADDRESS, '<address>')
    .replace(EMAIL, '<email>')
    .replace(ID, '<id>')
    .replace(OPAQUE, '<opaque>')
    .replace(DETAIL, '$1 <quoted>');
}

/**
 * Removes everything from the first mark to the last, because a quoted text may contain marks. Removes the rest of the
 * text when a mark has no partner.
 */
function withoutQuoted(text: string, marks: RegExp, cut: boolean): string {
  const found = [...text.matchAll(marks)].map(({ index }) => index);
  const [first, last] = [found[0], found.at(-1)];
  if (first === undefined || last === undefined) return text;
  const opens = !/\w/.test(text[last - 1] ?? '') && /\w/.test(text[last + 1] ?? '');
  const endless = cut || found.length % 2 === 1 || opens;
  // What looks like an apostrophe may end the quote: remove the letters after it, too.
  const after = marks === SINGLE ? text.slice(last).replace(/^.*['’]\w*/s, '') : text.slice(last + 1);
  return `${text.slice(0, first)}<quoted>${endless ? '' : after}`;
}

/** Longer texts are cut, because the patterns take too long. */
const LONGEST = 4_000;

/** Names of tables, columns and so on. They come from our SQL and are useful. */
const NAMED = /\b(relation|table|column|constraint|index|partition) "([a-z_][a-z0-9_.]{0,62})"/g;
/** A property name in our code. */
const READING = /\b(reading|setting) '([A-Za-z_$][\w$]{0,40})'/g;
const DOUBLE = /["“”„]/g;
/** Not an apostrophe within a word. */
const SINGLE = /(?<!\w)['‘’]|['‘’](?!\w)/g;
const BACK = /`/g;
/** URLs, and paths with more than one segment: they may contain tokens and ids. */
const ADDRESS = /\b[a-z][a-z0-9+.-]*:\/\/\S+|(?<![\w.])\/[^\s/]+\/\S+/gi;
const EMAIL = /\S+@\S+/g;
const ID = /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi;
/** Tokens, keys, hashes, cookies: long words that contain digits. */
const OPAQUE = /\b(?=[\w-]*\d)[\w-]{20,}(?:\.[\w-]+)*/g;
/** The detail of a PostgreSQL error. */
const DETAIL = /\b(Key|Failing row contains) \(.*/gs;
