import { MAIN, type ManagedProfile } from '@settee/protocol/model/profile';
import type { Desk } from '@settee/protocol/model/staff';
import { fillText } from '@settee/protocol/texts/fillText';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { listText } from '../browser/listText.ts';
import { ProfilePicture } from '../staff/ProfilePicture.tsx';
import { Hidden } from '../ui/Hidden.tsx';
import { useProfiles } from './profiles/useProfiles.ts';
import { useAdminQuery } from './useAdminQuery.ts';
import styles from './useDesks.module.css';

/** By alias. A desk without a name is called by its alias. */
export type DeskNames = Readonly<Record<string, string>>;

const none: DeskNames = {};

/** All desks with staff. */
export function useDesks(): readonly Desk[] {
  return useAdminQuery('staff', 'readDesks', {}).data?.desks ?? [];
}

/** The desks with staff that can take over the work of these: those of their profile. */
export function useDesksAlike(from: readonly string[]): readonly Desk[] {
  const { desks = [], profiles } = useAdminQuery('staff', 'readDesks', {}).data ?? {};
  return desks.filter(({ alias }) => from.every((desk) => profiles?.[desk] === profiles?.[alias]));
}

/** The same, without these. */
export function useDesksBeside(from: readonly string[]): readonly Desk[] {
  return useDesksAlike(from).filter(({ alias }) => !from.includes(alias));
}

/** The profile of a desk. Undefined if there is only one. */
export type ProfileOf = (alias: string) => ManagedProfile | undefined;

export function useProfileOf(): ProfileOf {
  const { profiles, several } = useProfiles();
  const { data } = useAdminQuery('staff', 'readDesks', {});
  return (alias) =>
    several && data ? profiles.find(({ slug }) => slug === (data.profiles?.[alias] ?? MAIN)) : undefined;
}

export function useDeskNames(): DeskNames {
  return useAdminQuery('staff', 'readDesks', {}).data?.names ?? none;
}

/** The name of a desk where there is no picture, and that of its profile if there are several. */
export function useDeskText(): (alias: string) => string {
  const names = useDeskNames();
  const profileOf = useProfileOf();
  return (alias) => [names[alias] ?? alias, profileOf(alias)?.displayName].filter(Boolean).join(' · ');
}

/** The name of a desk, for a place that cannot call a hook. With several profiles, after the picture of its own. */
export function DeskName({ alias }: { alias: string | null }) {
  const names = useDeskNames();
  const profile = useProfileOf()(alias ?? '');
  const title = useDeskText();
  if (alias === null) return null;
  const name = <bdi>{names[alias] ?? alias}</bdi>;
  if (profile === undefined) return name;
  return (
    <span className={styles.desk} title={title(alias)}>
      <ProfilePicture profile={profile} size={20} />
      {name}
      <Hidden> ({profile.displayName})</Hidden>
    </span>
  );
}

export function deskOption({ alias, people }: Pick<Desk, 'alias' | 'people'>, names: DeskNames) {
  return {
    value: alias,
    text: fillText(peopleTexts.deskWithPeople, { alias: names[alias] ?? alias, people: listText(people) }),
  };
}
