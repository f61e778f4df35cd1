import { useState } from 'react';
import styles from './Avatar.module.css';

type AvatarProps = {
  /** Shown if there is no image or it does not load. */
  letters: string;
  url?: string | null;
  size: 20 | 28 | 32 | 40 | 42 | 44 | 48 | 72 | 104;
  /** One of five tints. Default: the profile's colour. */
  tint?: number;
  /** A dot at the corner. The text beside it says the same. */
  dot?: boolean | 'faint';
};

/** An image or letters. The name is in the text beside it. */
export function Avatar({ letters, url, size, tint, dot = false }: AvatarProps) {
  const [broken, setBroken] = useState<string | null>(null);
  const shows = url && url !== broken;
  return (
    <span className={`avatar ${styles.avatar}`} data-size={size} data-tint={tint} aria-hidden="true">
      {shows ? (
        <img src={url} alt="" width={size} height={size} onError={() => setBroken(url)} />
      ) : (
        <span className={`letters ${styles.initials}`}>{letters}</span>
      )}
      {dot && <span className={styles.dot} data-faint={dot === 'faint'} />}
    </span>
  );
}
