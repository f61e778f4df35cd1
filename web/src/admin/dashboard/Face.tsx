import { initials } from '@settee/protocol/model/initials';
import styles from './Face.module.css';

type FaceProps = { name: string; tint: number; size: 30 | 34; online?: boolean };

/** Letters in place of a picture. Colour and dot say nothing that is not said in words beside it. */
export function Face({ name, tint, size, online }: FaceProps) {
  return (
    <span className={styles.face} data-tint={tint} data-size={size} aria-hidden="true">
      {initials(name)}
      {online !== undefined && <span className={styles.dot} data-online={online} />}
    </span>
  );
}
