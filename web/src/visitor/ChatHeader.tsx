import { initials } from '@settee/protocol/model/initials';
import { texts } from '@settee/protocol/texts/texts';
import type { ReactNode } from 'react';
import { ProfileName } from '../chat/ProfileName.tsx';
import { Avatar } from '../ui/Avatar.tsx';
import styles from './ChatHeader.module.css';
import { lazyWithFallback } from './lazyWithFallback.tsx';
import { loadForms } from './loadForms.ts';
import { type Profile, showsOnline } from './profile.ts';
import { StatusIndicator } from './StatusIndicator.tsx';

export const UsualReply = lazyWithFallback(
  () => loadForms().then((forms) => forms.UsualReply),
  ({ otherwise }) => otherwise,
);

type ChatHeaderProps = {
  profile: Profile;
  connecting: boolean;
  /** The page hears no more about who is online. */
  ended?: boolean;
  /** Outside the opening hours. AwayNote explains it. */
  away?: boolean;
  /** Shown while nobody is online. Otherwise the measured time of a reply, if there is one. */
  nobody?: string;
  /** For example, the bell and the menu. */
  tools?: ReactNode;
};

export function ChatHeader({
  profile,
  connecting: lost,
  ended = false,
  away = false,
  nobody,
  tools,
}: ChatHeaderProps) {
  const { brand, presence } = profile;
  const connecting = lost || presence === 'lost';
  const here = showsOnline(profile) && !connecting && !away && !ended;
  return (
    <header className={styles.header}>
      <Avatar letters={initials(brand.displayName)} url={brand.avatarUrl} size={44} dot={here} />
      <div className={styles.who}>
        <ProfileName brand={brand} size="medium" />
        {ended ? null : presence === 'checking' && !connecting ? (
          <StatusIndicator presence={presence} />
        ) : (
          <p className={styles.presence} data-online={here} role="status">
            {connecting
              ? texts.connecting
              : here
                ? texts.online
                : (nobody ?? <UsualReply brand={brand} otherwise={texts.nobodyHere} />)}
          </p>
        )}
      </div>
      {tools && <div className={styles.tools}>{tools}</div>}
    </header>
  );
}
