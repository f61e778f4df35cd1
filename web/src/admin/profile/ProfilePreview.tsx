import { type Brand, disclosureOf } from '@settee/protocol/brand';
import { initials } from '@settee/protocol/initials';
import { profileTexts } from '@settee/protocol/profileTexts';
import { texts } from '@settee/protocol/texts';
import { ProfileName } from '../../chat/ProfileName.tsx';
import { Card } from '../../staff/Card.tsx';
import { Avatar } from '../../ui/Avatar.tsx';
import styles from './ProfilePreview.module.css';

/** A visitor's two first sights of the profile, as they would be. Nothing in them can be pressed. */
export function ProfilePreview({ brand }: { brand: Brand }) {
  const letters = initials(brand.displayName);
  return (
    <Card title={profileTexts.preview} className={styles.card}>
      <figure className={styles.figure}>
        <figcaption>{profileTexts.previewHeader}</figcaption>
        <div className={styles.header} inert>
          <Avatar letters={letters} url={brand.avatarUrl} size={44} dot />
          <div className={styles.who}>
            <ProfileName brand={brand} size="medium" />
            <p className={styles.online}>{texts.online}</p>
          </div>
        </div>
      </figure>
      <figure className={styles.figure}>
        <figcaption>{profileTexts.previewUnclaimed}</figcaption>
        <div className={styles.page} inert>
          <Avatar letters={letters} url={brand.avatarUrl} size={104} />
          <ProfileName brand={brand} size="large" />
          <p className={styles.online}>{texts.online}</p>
          <p className={styles.heading}>{texts.unclaimedTitle}</p>
          <p className={styles.note}>{texts.unclaimedNote}</p>
          <span className={styles.start}>{texts.startChat}</span>
          <p className={styles.fine}>{disclosureOf(brand)}</p>
        </div>
      </figure>
    </Card>
  );
}
