import { type Brand, disclosureOf } from '@settee/protocol/model/brand';
import { greetingBubbles, usualReplyOf } from '@settee/protocol/model/hostVoice';
import { initials } from '@settee/protocol/model/initials';
import { hoursTexts } from '@settee/protocol/texts/hoursTexts';
import { profileTexts } from '@settee/protocol/texts/profileTexts';
import { texts } from '@settee/protocol/texts/texts';
import { ProfileName } from '../../chat/ProfileName.tsx';
import { Card } from '../../staff/Card.tsx';
import { Avatar } from '../../ui/Avatar.tsx';
import styles from './ProfilePreview.module.css';

/** A non-interactive preview of what visitors see. */
export function ProfilePreview({ brand }: { brand: Brand }) {
  const letters = initials(brand.displayName);
  const reply = usualReplyOf(brand);
  return (
    <Card title={profileTexts.preview} className={styles.card}>
      <figure className={styles.figure}>
        <figcaption>{profileTexts.previewHeader}</figcaption>
        <div className={styles.chat} inert>
          <div className={styles.header}>
            <Avatar letters={letters} url={brand.avatarUrl} size={44} dot />
            <div className={styles.who}>
              <ProfileName brand={brand} size="medium" />
              <p className={styles.online}>{texts.online}</p>
            </div>
          </div>
          {(brand.greeting || reply) && (
            <div className={styles.thread}>
              {reply && <p className={styles.reply}>{reply}</p>}
              {greetingBubbles(brand.greeting ?? '').map((bubble) => (
                <p key={bubble} className={styles.bubble} dir="auto">
                  {bubble}
                </p>
              ))}
            </div>
          )}
        </div>
      </figure>
      {brand.awayMessage && (
        <figure className={styles.figure}>
          <figcaption>{profileTexts.previewAway}</figcaption>
          <p className={styles.strip} dir="auto">
            {brand.awayMessage} <b>{hoursTexts.previewBack}</b>
          </p>
        </figure>
      )}
      {brand.farewell && (
        <figure className={styles.figure}>
          <figcaption>{profileTexts.previewClosed}</figcaption>
          <p className={styles.strip} dir="auto">
            {brand.farewell}
          </p>
        </figure>
      )}
      <figure className={styles.figure}>
        <figcaption>{profileTexts.previewUnclaimed}</figcaption>
        <div className={styles.page} inert>
          <Avatar letters={letters} url={brand.avatarUrl} size={104} />
          <ProfileName brand={brand} size="large" />
          <p className={styles.online}>{texts.online}</p>
          <p className={styles.heading}>{texts.unclaimedTitle}</p>
          <p className="ink-2">{texts.unclaimedNote}</p>
          <span className={`main-link ${styles.start}`}>{texts.startChat}</span>
          <p className={styles.fine} dir="auto">
            {disclosureOf(brand)}
          </p>
        </div>
      </figure>
    </Card>
  );
}
