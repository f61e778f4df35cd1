import { initials } from '@settee/protocol/initials';
import { texts } from '@settee/protocol/texts';
import type { ReactNode } from 'react';
import { ProfileName } from '../chat/ProfileName.tsx';
import { Avatar } from '../ui/Avatar.tsx';
import styles from './ChatHeader.module.css';
import type { Profile } from './profile.ts';

export function ChatHeader({
  profile: { brand, online },
  connecting,
  tools,
}: {
  profile: Profile;
  connecting: boolean;
  tools?: ReactNode;
}) {
  const here = online && !connecting;
  return (
    <header className={styles.header}>
      <Avatar letters={initials(brand.displayName)} url={brand.avatarUrl} size={44} dot={here} />
      <div className={styles.who}>
        <ProfileName brand={brand} size="medium" />
        <p className={styles.presence} data-online={here} role="status">
          {connecting ? texts.connecting : online ? texts.online : texts.offline}
        </p>
      </div>
      {tools}
    </header>
  );
}
