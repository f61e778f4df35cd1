/**
 * What an error's message may quote is somebody's: a value that PostgreSQL did not like, the beginning of a broken body,
 * an address that was dialled. All that looks like it is taken out, at the risk of taking too much: the kind of error and
 * the words around it remain, and they are ours or an engine's.
 */
export function scrub(text: string): string {
  return text
    .slice(0, LONGEST)
    .replace(NAMED, '$1 $2')
    .replace(READING, '$1 $2')
    .replace(DOUBLE_QUOTED, '<quoted>')
    .replace(SINGLE_QUOTED, '<quoted>')
    .replace(BACK_QUOTED, '<quoted>')
    .replace(ADDRESS, '<address>')
    .replace(EMAIL, '<email>')
    .replace(ID, '<id>')
    .replace(OPAQUE, '<opaque>')
    .replace(KEY_DETAIL, 'Key <quoted>');
}

/** Patterns over endless texts take their time. */
const LONGEST = 4_000;

/** Names of PostgreSQL's own things, which say where it hurts. */
const NAMED =
  /\b(relation|table|column|constraint|index|function|type|schema|database|role|user|partition|parameter) "([a-z_][a-z0-9_.]{0,62})"/g;
/** A property's name in our code. */
const READING = /\b(reading|setting) '([A-Za-z_$][\w$]{0,40})'/g;
/** From the first quote to the last: what is quoted may have quotes of its own. */
const DOUBLE_QUOTED = /["“].*["”]/gs;
/** An apostrophe within a word quotes nothing. */
const SINGLE_QUOTED = /(?<!\w)['‘].*['’](?!\w)/gs;
const BACK_QUOTED = /`.*`/gs;
/** With a scheme, or a path of more than one step: those hold tokens and ids. */
const ADDRESS = /\b[a-z][a-z0-9+.-]*:\/\/\S+|(?<![\w.])\/[^\s/]+\/\S+/gi;
const EMAIL = /\S+@\S+/g;
const ID = /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi;
/** Tokens, keys, hashes, cookies: long words with digits among the letters. */
const OPAQUE = /\b(?=[\w-]*\d)[\w-]{20,}(?:\.[\w-]+)*/g;
/** PostgreSQL's detail, should somebody ever add it. */
const KEY_DETAIL = /Key \(.*\)=\(.*\)/gs;
