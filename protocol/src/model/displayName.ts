// Apart from visitor.ts: the visitor's first script does not check names.
import * as v from 'valibot';
import { texts } from '../texts/texts.ts';
import { Line } from './line.ts';
import { UNNAMED } from './visitor.ts';

export const DISPLAY_NAME_MIN = 2;
export const DISPLAY_NAME_MAX = 40;

const ISOLATE_END = '\u2069';

export const LOOKS_LIKE_CONTACT = /http|@|\.com/i;

/** Characters that show nothing. Joiners, for example, are between those of many languages and emoji. */
const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\u2800]/gu;

const withoutInvisible = (name: string): string => name.replace(INVISIBLE, '');

export const DisplayName = v.pipe(
  Line,
  v.minLength(DISPLAY_NAME_MIN, texts.nameTooShort),
  v.maxLength(DISPLAY_NAME_MAX, texts.nameTooLong),
  v.check((name) => withoutInvisible(name).trim() !== '', texts.nameTooShort),
  v.check((name) => !UNNAMED.has(withoutInvisible(name).trim()), texts.nameReserved),
  v.check((name) => !LOOKS_LIKE_CONTACT.test(withoutInvisible(name)), texts.nameHasContact),
  v.transform(closeIsolates),
);

/** Names that look the same are equal: without case, accents, blanks and what shows nothing. */
export function foldName(name: string): string {
  return withoutInvisible(name.normalize('NFKD'))
    .replace(/[\p{M}\s]/gu, '')
    .toLowerCase();
}

/** Isolates keep a direction for themselves. An open one would turn the text after the name, and so would a stray end. */
export function closeIsolates(name: string): string {
  let open = 0;
  const kept = name.replace(/[\u2066-\u2069]/g, (mark) => {
    if (mark !== ISOLATE_END) open += 1;
    else if (open === 0) return '';
    else open -= 1;
    return mark;
  });
  return kept + ISOLATE_END.repeat(open);
}

/** The text to show under the name field; undefined if the name is valid. */
export function displayNameProblem(raw: string): string | undefined {
  return v.safeParse(DisplayName, raw).issues?.[0].message;
}
