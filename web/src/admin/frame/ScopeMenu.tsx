import type { StaffProfile } from '@settee/protocol/model/profile';
import { fillText } from '@settee/protocol/texts/fillText';
import { profileTexts } from '@settee/protocol/texts/profileTexts';
import type { ReactNode } from 'react';
import { useSearchParams } from 'react-router';
import { CheckItem, MenuButton } from '../../staff/menu/MenuButton.tsx';
import { ProfilePicture } from '../../staff/ProfilePicture.tsx';
import { Shape } from '../../ui/Icon.tsx';
import { PROFILE, useProfiles, useScope } from '../profiles/useProfiles.ts';
import styles from './ScopeMenu.module.css';
import { shapes } from './shapes.ts';

/** Filters of a list that another profile does not have: its desks, and a message. */
const OF_PROFILE = ['alias', 'handler', 'message'];

/** Which profile the pages show. `instead` is shown while there is only one. */
export function ScopeMenu({ instead }: { instead?: ReactNode }) {
  const { profiles, several } = useProfiles();
  const { profile } = useScope();
  const [params, setParams] = useSearchParams();
  if (!several) return instead;
  const chosen = profiles.find(({ slug }) => slug === profile);
  const offered = profiles.filter((each) => each.archivedAt === null || each === chosen);

  function show(slug: string | undefined): void {
    const next = new URLSearchParams(params);
    for (const key of [PROFILE, ...OF_PROFILE]) next.delete(key);
    if (slug !== undefined) next.set(PROFILE, slug);
    setParams(next);
  }

  return (
    <MenuButton
      label={fillText(profileTexts.shown, { profile: nameOf(chosen) })}
      className={styles.scope}
      fromStart
      face={
        <>
          <Face profile={chosen} />
          <Shape paths={shapes.chevron} size={16} />
        </>
      }
    >
      {(choose) =>
        [undefined, ...offered].map((each) => (
          <CheckItem
            key={each?.slug ?? ''}
            role="menuitemradio"
            checked={each === chosen}
            onChoose={() => choose(() => show(each?.slug))}
          >
            <span className={styles.choice}>
              <Face profile={each} />
            </span>
          </CheckItem>
        ))
      }
    </MenuButton>
  );
}

function Face({ profile }: { profile: StaffProfile | undefined }) {
  return (
    <>
      <span className={styles.picture}>
        {profile ? (
          <ProfilePicture profile={profile} size={28} />
        ) : (
          <Shape paths={shapes.profiles} size={19} />
        )}
      </span>
      <bdi className={styles.name}>{nameOf(profile)}</bdi>
    </>
  );
}

function nameOf(profile: StaffProfile | undefined): string {
  return profile?.displayName ?? profileTexts.all;
}
