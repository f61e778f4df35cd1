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

/** `column "email"` stays, without marks: names from our SQL are useful. */
const NAMED = /\b(relation|table|column|constraint|index|partition) "([a-z_][a-z0-9_.]{0,62})"/g;
/** `reading 'length'` stays too: a property name in our code. */
const READING = /\b(reading|setting) '([A-Za-z_$][\w$]{0,40})'/g;
/** `syntax for type uuid: "Ada"`, and „Ada“. */
const DOUBLE = /["“”„]/g;
/** `'Ada' is not valid JSON`, but not the apostrophe of `can't`. */
const SINGLE = /(?<!\w)['‘’]|['‘’](?!\w)/g;
/** `` `Ada` ``. */
const BACK = /`/g;
/** `https://settee.example/Ada`, `/invite/Ada`. A path with one segment, such as `/live`, says nothing about a person. */
const ADDRESS = /\b[a-z][a-z0-9+.-]*:\/\/\S+|(?<![\w.])\/[^\s/]+\/\S+/gi;
/** `ada@settee.example`. */
const EMAIL = /\S+@\S+/g;
/** `0f8b6a52-6d3c-4f3e-9a53-0a1b2c3d4e5f`. */
const ID = /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi;
/** `9f86d081884c7d659a2feaa0`: tokens, keys, hashes and cookies are long words that contain digits. */
const OPAQUE = /\b(?=[\w-]*\d)[\w-]{20,}(?:\.[\w-]+)*/g;
/** `Key (email)=(Ada) already exists`: the detail of a PostgreSQL error. */
const DETAIL = /\b(Key|Failing row contains) \(.*/gs;
