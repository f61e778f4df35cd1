import type { OwnProfile } from '@settee/protocol/model/profile';
import { ProfilePicture } from '../../staff/ProfilePicture.tsx';
import { Shape } from '../../ui/Icon.tsx';
import { shapes } from '../shapes.ts';
import styles from './SwitcherPicture.module.css';

/** Of a profile, or for all. */
export function SwitcherPicture({ of, size }: { of: OwnProfile | 'all'; size: 32 | 40 }) {
  if (of !== 'all') return <ProfilePicture profile={of} size={size} />;
  return (
    <span className={styles.all} data-size={size}>
      <Shape paths={shapes.grid} size={20} />
    </span>
  );
}
