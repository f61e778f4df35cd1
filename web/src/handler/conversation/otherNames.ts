import type { OwnProfile } from '@settee/protocol/model/profile';
import { wordsOf } from '../../staff/search/fold.ts';
import { profileAt } from '../queue/profileAt.ts';

/**
 * Another of the person's profiles that a reply names, so that it is held. Each reply is held once: who edits it and leaves
 * it as it is, wants it so.
 */
export function otherNames() {
  const told = new Set<string>();
  return (
    profiles: readonly OwnProfile[],
    alias: string | undefined,
    reply: { id: string; text: string },
  ) => {
    const own = profileAt(profiles, alias);
    if (!own || told.has(reply.id)) return undefined;
    const others = profiles.filter((profile) => profile !== own).map(({ displayName }) => displayName);
    const name = nameIn(reply.text, others, own.displayName);
    if (name !== undefined) told.add(reply.id);
    return name;
  };
}

/** The first of these names in a text, in any case and also in a genitive. The own name may contain another one. */
export function nameIn(text: string, names: readonly string[], own: string): string | undefined {
  const line = lineOf(text).replace(patternOf(own), ' |');
  return names.find((name) => wordsOf(name).length > 0 && patternOf(name).test(line));
}

const lineOf = (text: string) =>
  ` ${wordsOf(text)
    .map(({ folded }) => folded)
    .join(' ')} `;

/** Folded words have no characters that mean something here. */
const patternOf = (name: string) => new RegExp(`${lineOf(name).trimEnd()}s?(?= )`, 'gu');
