import { initials } from '@settee/protocol/model/initials';
import styles from './Face.module.css';

type FaceProps = { name: string; tint: number; online?: boolean };

/** Initials. Colour and dot only repeat nearby text. */
export function Face({ name, tint, online }: FaceProps) {
  return (
    <span className={styles.face} data-tint={tint} aria-hidden="true">
      {initials(name)}
      {online !== undefined && <span className={styles.dot} data-online={online} />}
    </span>
  );
}
