import * as v from 'valibot';
import { peopleTexts } from '../texts/peopleTexts.ts';
import { DeskName } from './deskName.ts';
import { Line } from './line.ts';
import { PASSWORD_MIN } from './password.ts';
import { Slug } from './profile.ts';
import { Alias, Role } from './staff.ts';

const PRODUCT = 'settee';

export const PERSON_NAME_MAX = 80;
export const PERSON_DESKS_MAX = 100;

/** The name for administrators and colleagues. Visitors never see it. One line. */
export const PersonName = v.pipe(
  Line,
  v.nonEmpty(peopleTexts.nameMissing),
  v.maxLength(PERSON_NAME_MAX, peopleTexts.nameTooLong),
);

/** Refuses only addresses that no mail server accepts. */
export const Email = v.pipe(
  Line,
  v.nonEmpty(peopleTexts.emailMissing),
  v.regex(/^[^\s@]{1,64}@[^\s@]{1,189}$/, peopleTexts.emailRefused),
);

const fields = {
  name: PersonName,
  email: Email,
  role: Role,
  /** The desk where they answer; created if it does not exist. Administrators may have none. */
  alias: v.nullable(Alias),
  /** Names the desk with this alias. */
  deskName: v.optional(DeskName),
  /** All desks, `alias` first; created if they do not exist. Without it, `alias` is the only one, or replaces the first. */
  desks: v.optional(
    v.pipe(
      v.array(Alias),
      v.maxLength(PERSON_DESKS_MAX),
      v.check((desks) => new Set(desks).size === desks.length, 'desks names a desk twice'),
    ),
  ),
  /** Names for some of the desks, by alias. */
  deskNames: v.optional(v.record(Alias, DeskName)),
  /** The profiles of desks that do not exist yet, by alias. Without it, the first one. */
  deskProfiles: v.optional(v.record(Alias, Slug)),
};

function hasAliasFirst({
  alias,
  desks,
}: {
  alias?: string | null | undefined;
  desks?: string[] | undefined;
}): boolean {
  return alias === undefined || desks === undefined || alias === (desks[0] ?? null);
}

export const PersonDraft = v.pipe(
  v.strictObject(fields),
  v.check((person) => hasAliasFirst(person), 'alias must be the first of desks'),
  v.check((person) => hasDesk(person), peopleTexts.deskMissing),
);
export type PersonDraft = v.InferOutput<typeof PersonDraft>;

/** Only the changed fields, because another administrator may have changed the others meanwhile. */
export const PersonChange = v.pipe(
  v.partial(v.strictObject(fields)),
  v.check((change) => hasAliasFirst(change), 'alias must be the first of desks'),
);
export type PersonChange = v.InferOutput<typeof PersonChange>;

/** Whether the person has a desk, or does not need one. */
export function hasDesk({ role, alias }: { role: Role; alias: string | null }): boolean {
  return role === 'admin' || alias !== null;
}

/** What is wrong with a password for this person; undefined if it is acceptable. Used by the server and the page. */
export function passwordProblem(
  password: string,
  { name, email }: { name: string; email: string },
): string | undefined {
  if (password.length < PASSWORD_MIN) return peopleTexts.passwordTooShort;
  const given = letters(password);
  const known = [name, email, email.split('@')[0] ?? '', PRODUCT].map(letters);
  const isKnown = known.some((text) => text.length > 1 && given !== '' && given.replaceAll(text, '') === '');
  return isKnown ? peopleTexts.passwordIsKnown : undefined;
}

/** Treats 'Ana Kovač', 'ana.kovač.1990' and 'ANAKOVAČ!' as the same guess. */
function letters(text: string): string {
  return text.toLowerCase().replace(/\P{L}/gu, '');
}
