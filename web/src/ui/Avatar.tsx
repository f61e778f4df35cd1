import { useState } from 'react';
import styles from './Avatar.module.css';

type AvatarProps = {
  /** Shown when there is no picture, or it does not load. */
  letters: string;
  url?: string | null;
  size: 28 | 42 | 44 | 48 | 72 | 104;
  /** One of the five tints; without it, the profile's own colour. */
  tint?: number;
  /** A dot at the corner. Colour alone says nothing: the words stand beside it. */
  dot?: boolean | 'faint';
};

/** A picture, or letters in its place. The name stands beside it in text. */
export function Avatar({ letters, url, size, tint, dot = false }: AvatarProps) {
  const [broken, setBroken] = useState<string | null>(null);
  const shows = url && url !== broken;
  return (
    <span className={styles.avatar} data-size={size} data-tint={tint} aria-hidden="true">
      {shows ? (
        <img src={url} alt="" width={size} height={size} onError={() => setBroken(url)} />
      ) : (
        <span className={styles.initials}>{letters}</span>
      )}
      {dot && <span className={styles.dot} data-faint={dot === 'faint'} />}
    </span>
  );
}
