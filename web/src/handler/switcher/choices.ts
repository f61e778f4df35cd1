import type { OwnProfile } from '@settee/protocol/model/profile';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { useMemo } from 'react';
import { listText } from '../../browser/listText.ts';
import { useConsole } from '../context.ts';
import { useOwnDesks } from '../queue/ownDesks.ts';

/** To what a person with several profiles can restrict the list. */
export type Choice = {
  /** As in the address. Empty for all desks. */
  search: string;
  name: string;
  /** A desk's name may occur at several profiles. */
  fullName: string;
  /** Below the name. */
  note: string;
  /** Empty for all. */
  desks: readonly string[];
  /** Undefined for a desk. */
  picture?: OwnProfile | 'all';
};

/** First all desks; then for each profile itself, and its desks if there are several. Empty with one profile. */
export function useChoices(): readonly (readonly Choice[])[] {
  const { profiles } = useConsole();
  const held = useOwnDesks();
  return useMemo(() => {
    if (profiles.length === 0) return [];
    const name = consoleTexts.allMyDesks;
    const note = fillText(consoleTexts.desksInProfiles, { desks: held.length, profiles: profiles.length });
    const all: Choice = { search: '', name, fullName: name, note, desks: [], picture: 'all' };
    return [[all], ...profiles.map((profile) => choicesOf(profile, held))];
  }, [profiles, held]);
}

function choicesOf(picture: OwnProfile, held: ReturnType<typeof useOwnDesks>): Choice[] {
  const { slug, displayName: name } = picture;
  const desks = held.filter(({ profile }) => profile === picture);
  const names = listText(desks.map((desk) => desk.name));
  const note = names === name ? '' : names;
  const own = { search: `profile=${slug}`, name, fullName: name, note, desks: picture.desks, picture };
  if (desks.length < 2) return [own];
  return [
    own,
    ...desks.map(
      (desk): Choice => ({
        search: `desk=${desk.alias}`,
        name: desk.name,
        fullName: `${name} · ${desk.name}`,
        note: desk.off ? consoleTexts.offDuty : '',
        desks: [desk.alias],
      }),
    ),
  ];
}
