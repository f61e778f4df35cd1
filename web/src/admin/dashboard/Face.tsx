import { initials } from '@settee/protocol/model/initials';
import styles from './Face.module.css';

type FaceProps = { name: string; tint: number; size: 30 | 34; online?: boolean };

/** Initials. Colour and dot only repeat nearby text. */
export function Face({ name, tint, size, online }: FaceProps) {
  return (
    <span className={styles.face} data-tint={tint} data-size={size} aria-hidden="true">
      {initials(name)}
      {online !== undefined && <span className={styles.dot} data-online={online} />}
    </span>
  );
}
