import { fillText } from '@settee/protocol/texts/fillText';
import { profileTexts } from '@settee/protocol/texts/profileTexts';
import { ProfilePicture } from '../../staff/ProfilePicture.tsx';
import { useProfileOf } from '../useDesks.tsx';
import styles from './DeskProfile.module.css';

/** Whom visitors of an invite see. Only with several profiles. */
export function DeskProfile({ alias }: { alias: string }) {
  const profile = useProfileOf()(alias);
  if (profile === undefined) return null;
  return (
    <p className={styles.profile}>
      <ProfilePicture profile={profile} size={20} />
      {fillText(profileTexts.visitorsSee, { profile: profile.displayName })}
    </p>
  );
}
