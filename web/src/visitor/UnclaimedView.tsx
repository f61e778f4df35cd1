import { disclosureOf } from '@settee/protocol/model/brand';
import { initials } from '@settee/protocol/model/initials';
import { texts } from '@settee/protocol/texts/texts';
import { ProfileName } from '../chat/ProfileName.tsx';
import { Avatar } from '../ui/Avatar.tsx';
import { Button } from '../ui/Button.tsx';
import { UsualReply } from './ChatHeader.tsx';
import { SetteeDrawing } from './ErrorView.tsx';
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
    <main className={styles.page}>
      <div className="centre">
        <div className={styles.scene} data-lamp={presence === 'online'}>
          <SetteeDrawing seats={presence === 'online' ? 'host' : 'empty'} width={380} />
        </div>
        <header className={styles.host}>
          <Avatar letters={initials(brand.displayName)} url={brand.avatarUrl} size={48} />
          <div className={styles.who}>
            <ProfileName brand={brand} size="medium" />
            <StatusIndicator presence={presence} />
          </div>
        </header>
        <div className={styles.reply}>
          <UsualReply brand={brand} />
        </div>
        <h2 className="headline">{texts.unclaimedTitle}</h2>
        <p className="lead">{texts.unclaimedNote}</p>
        <Button data-start ref={takeFocus} onClick={onStart} disabled={starting}>
          {starting ? texts.startChatBusy : texts.startChat}
        </Button>
        {onCode && (
          <Button look="quiet" className={styles.enterCode} onClick={onCode}>
            {texts.enterCode}
          </Button>
        )}
      </div>
      <p className="fine" dir="auto">
        {disclosureOf(brand)}
      </p>
    </main>
  );
}
