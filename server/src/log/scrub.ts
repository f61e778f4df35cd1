/**
 * What an error's message may quote is somebody's: a value that PostgreSQL did not like, the beginning of a broken body,
 * an address that was dialled. All that looks like it is taken out, at the risk of taking too much: the kind of error and
 * the words around it remain, and they are ours or an engine's.
 */
export function scrub(text: string): string {
  const cut = text.length > LONGEST;
  // The word that the cut goes through is no longer known by its shape.
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
 * From the first mark to the last, because what is quoted may have marks of its own. To the end where one has no partner,
 * or may have had it in what was cut off.
 */
function withoutQuoted(text: string, marks: RegExp, cut: boolean): string {
  const found = [...text.matchAll(marks)].map(({ index }) => index);
  const [first, last] = [found[0], found.at(-1)];
  if (first === undefined || last === undefined) return text;
  const opens = !/\w/.test(text[last - 1] ?? '') && /\w/.test(text[last + 1] ?? '');
  const endless = cut || found.length % 2 === 1 || opens;
  // 'somebody's: what looks like an apostrophe may be the end as well, with the letters that hang on it.
  const after = marks === SINGLE ? text.slice(last).replace(/^.*['’]\w*/s, '') : text.slice(last + 1);
  return `${text.slice(0, first)}<quoted>${endless ? '' : after}`;
}

/** Patterns over endless texts take their time. */
const LONGEST = 4_000;

/** Names of tables and of what they are made of: they come from our SQL, and say where it hurts. */
const NAMED = /\b(relation|table|column|constraint|index|partition) "([a-z_][a-z0-9_.]{0,62})"/g;
/** A property's name in our code. */
const READING = /\b(reading|setting) '([A-Za-z_$][\w$]{0,40})'/g;
const DOUBLE = /["“”„]/g;
/** An apostrophe within a word quotes nothing. */
const SINGLE = /(?<!\w)['‘’]|['‘’](?!\w)/g;
const BACK = /`/g;
/** With a scheme, or a path of more than one step: those hold tokens and ids. */
const ADDRESS = /\b[a-z][a-z0-9+.-]*:\/\/\S+|(?<![\w.])\/[^\s/]+\/\S+/gi;
const EMAIL = /\S+@\S+/g;
const ID = /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi;
/** Tokens, keys, hashes, cookies: long words with digits among the letters. */
const OPAQUE = /\b(?=[\w-]*\d)[\w-]{20,}(?:\.[\w-]+)*/g;
/** PostgreSQL's detail, should somebody ever add it. */
const DETAIL = /\b(Key|Failing row contains) \(.*/gs;
