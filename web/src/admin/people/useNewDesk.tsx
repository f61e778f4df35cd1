import { profileTexts } from '@settee/protocol/texts/profileTexts';
import { type ReactNode, useState } from 'react';
import { ProfileSelect } from '../profiles/ProfileDialogs.tsx';
import { useProfiles, useScope } from '../profiles/useProfiles.ts';
import { useAdminQuery } from '../useAdminQuery.ts';
import { useProfileOf } from '../useDesks.tsx';

export type NewDesk = {
  /** The profile that the desk has or gets. */
  slug: string | undefined;
  problem: string | undefined;
  /** For the call that creates it. */
  deskProfiles: Record<string, string>;
  select: ReactNode;
};

/** Asks for the profile of a desk that does not exist yet. With one profile, it never asks. */
export function useNewDesk(alias: string | null): NewDesk {
  const { several } = useProfiles();
  const [profile, setProfile] = useState(useScope().profile ?? '');
  const profileOf = useProfileOf();
  const known = useKnownDesks();
  if (alias === null || !several || known.includes(alias)) {
    return { slug: profileOf(alias ?? '')?.slug, problem: undefined, deskProfiles: {}, select: null };
  }
  return {
    slug: profile,
    problem: profile === '' ? profileTexts.choose : undefined,
    deskProfiles: { [alias]: profile },
    select: <ProfileSelect profile={profile} onChange={setProfile} />,
  };
}

/** Also those without people. */
export function useKnownDesks(): readonly string[] {
  const { desks = [], names, profiles } = useAdminQuery('staff', 'readDesks', {}).data ?? {};
  return [...new Set([...desks.map(({ alias }) => alias), ...Object.keys({ ...names, ...profiles })])];
}

/** For a call that may create desks. */
export const placed = (deskProfiles: Record<string, string>) =>
  Object.keys(deskProfiles).length > 0 ? { deskProfiles } : {};
