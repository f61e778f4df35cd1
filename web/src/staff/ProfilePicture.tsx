import { initials } from '@settee/protocol/model/initials';
import type { StaffProfile } from '@settee/protocol/model/profile';
import { Avatar } from '../ui/Avatar.tsx';
import styles from './ProfilePicture.module.css';

type ProfilePictureProps = {
  profile: Pick<StaffProfile, 'displayName' | 'avatarUrl'>;
  size: 20 | 28 | 32 | 40 | 42;
};

/** For staff, a circle is a person and a rounded square is a profile. The name is in the text beside it. */
export function ProfilePicture({ profile: { displayName, avatarUrl }, size }: ProfilePictureProps) {
  return (
    <span className={styles.square}>
      <Avatar letters={initials(displayName)} url={avatarUrl} size={size} />
    </span>
  );
}
