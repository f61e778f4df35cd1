import { initials } from '@settee/protocol/model/initials';
import type { ManagedProfile } from '@settee/protocol/model/profile';
import { formatNumber } from '@settee/protocol/texts/fillText';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { profileTexts } from '@settee/protocol/texts/profileTexts';
import { texts } from '@settee/protocol/texts/texts';
import { listText } from '../../browser/listText.ts';
import { ProfilePicture } from '../../staff/ProfilePicture.tsx';
import { tintOfWord } from '../../staff/tint.ts';
import { formatShortDuration } from '../../staff/waiting.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Hidden } from '../../ui/Hidden.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { SealShape } from '../../ui/Seal.tsx';
import { useLiveAdmin } from '../context.ts';
import { toneOf } from '../dashboard/figureText.ts';
import type { Column } from '../parts/ListTable.tsx';
import { Link } from '../parts/links.tsx';
import styles from './profileColumns.module.css';

export const profileColumns: readonly Column<ManagedProfile>[] = [
  { text: profileTexts.profile, cell: (profile) => <Name profile={profile} /> },
  {
    text: peopleTexts.desks,
    width: 208,
    cell: (profile) => <span title={desksText(profile)}>{desksText(profile)}</span>,
  },
  { text: profileTexts.onDuty, width: 184, cell: (profile) => <OnDuty names={onDutyOf(profile)} /> },
  {
    text: profileTexts.openChats,
    width: 100,
    from: 'm',
    number: true,
    line: 'none',
    cell: ({ open }) => formatNumber(open),
  },
  {
    text: profileTexts.longestWait,
    width: 132,
    number: true,
    line: 'corner',
    cell: ({ waitingSince: since }, now) => since !== null && <Wait since={since} now={now} />,
  },
];

/** A desk without a name is called by its alias. */
export function deskNamesOf({ desks }: ManagedProfile): string[] {
  return desks.map(({ alias, name }) => name ?? alias);
}

const desksText = (profile: ManagedProfile) => listText(deskNamesOf(profile));

/** Each person once, whatever the number of their desks. */
export function onDutyOf({ desks }: ManagedProfile): string[] {
  return [...new Set(desks.flatMap(({ onDuty }) => onDuty))];
}

function Name({ profile }: { profile: ManagedProfile }) {
  const { slug, displayName, verified } = profile;
  return (
    <span className={styles.name}>
      <ProfilePicture profile={profile} size={42} />
      <Link to={`/profiles/${slug}`} data-row className="cut">
        <bdi>{displayName}</bdi>
      </Link>
      {verified && (
        <>
          <SealShape size={16} />
          <Hidden>{texts.verifiedTooltip}</Hidden>
        </>
      )}
    </span>
  );
}

const SHOWN = 3;

function OnDuty({ names }: { names: readonly string[] }) {
  if (names.length === 0) {
    return (
      <span className={styles.nobody}>
        <Icon name="alert" size={16} />
        {profileTexts.nobody}
      </span>
    );
  }
  const text = listText(names);
  return (
    <span className={styles.people} title={text}>
      {names.slice(0, SHOWN).map((name) => (
        <Avatar key={name} letters={initials(name)} size={28} tint={tintOfWord(name)} />
      ))}
      {names.length > SHOWN && <small aria-hidden="true">+{formatNumber(names.length - SHOWN)}</small>}
      <Hidden>{text}</Hidden>
    </span>
  );
}

function Wait({ since, now }: { since: number; now: number }) {
  const { settings } = useLiveAdmin();
  return (
    <span className="pill" data-tone={toneOf(since, now, settings)}>
      {formatShortDuration(Math.max(0, now - since))}
    </span>
  );
}
