import * as v from 'valibot';
import { peopleTexts } from '../texts/peopleTexts.ts';
import { Line } from './line.ts';
import { ALIAS_PATTERN } from './staff.ts';

export const DESK_NAME_MAX = 40;
const ALIAS_MAX = 32;

/** What staff call a desk. Visitors never see it. One line. */
export const DeskName = v.pipe(
  Line,
  v.nonEmpty(peopleTexts.deskMissing),
  v.maxLength(DESK_NAME_MAX, peopleTexts.deskNameTooLong),
);

/** The alias of a desk with this name: that of 'Front Desk' is 'front-desk'. An alias has itself. A slug follows alike. */
export function aliasOf(name: string, thing = 'desk'): string {
  if (ALIAS_PATTERN.test(name)) return name;
  const letters = name.toLowerCase().replaceAll('ß', 'ss').normalize('NFKD').replace(/\p{M}/gu, '');
  const alias = letters
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-/, '')
    .slice(0, ALIAS_MAX)
    .replace(/-$/, '');
  const hasOthers = /[^a-z\P{L}]/u.test(letters);
  return alias === '' || hasOthers ? `${thing}-${numberOf(letters.trim()).toString(36)}` : alias;
}

/** Stable, for a name in another script. */
function numberOf(name: string): number {
  return Array.from(name).reduce((sum, letter) => (sum * 31 + (letter.codePointAt(0) ?? 0)) >>> 0, 7);
}
