import { disclosureOf } from '@settee/protocol/model/brand';
import { initials } from '@settee/protocol/model/initials';
import { texts } from '@settee/protocol/texts/texts';
import { ProfileName } from '../chat/ProfileName.tsx';
import { Avatar } from '../ui/Avatar.tsx';
import { Button } from '../ui/Button.tsx';
import styles from './Page.module.css';
import { takeFocus } from './preloader.ts';
import type { Profile } from './profile.ts';
import { StatusIndicator } from './StatusIndicator.tsx';

type UnclaimedViewProps = {
  profile: Profile;
  starting: boolean;
  onStart: () => void;
  /** Set if the chat was started on another device. */
  onCode: (() => void) | undefined;
};

export function UnclaimedView({ profile, starting, onStart, onCode }: UnclaimedViewProps) {
  const { brand, presence } = profile;
  return (
    <main className={styles.page} data-lamp={presence !== 'away'}>
      <div className={styles.centre}>
        <header className={styles.profile}>
          <Avatar letters={initials(brand.displayName)} url={brand.avatarUrl} size={104} />
          <ProfileName brand={brand} size="large" />
          <StatusIndicator presence={presence} />
        </header>
        <h2 className={styles.heading}>{texts.unclaimedTitle}</h2>
        <p className={styles.note}>{texts.unclaimedNote}</p>
        <Button data-start ref={takeFocus} onClick={onStart} disabled={starting}>
          {starting ? texts.startChatBusy : texts.startChat}
        </Button>
        {onCode && (
          <Button look="quiet" className={styles.enterCode} onClick={onCode}>
            {texts.enterCode}
          </Button>
        )}
      </div>
      <p className={styles.fine} dir="auto">
        {disclosureOf(brand)}
      </p>
    </main>
  );
}
