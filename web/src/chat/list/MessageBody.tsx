import { useMemo } from 'react';
import { linkify } from '../model/linkify.ts';
import styles from './MessageBody.module.css';

/** A message's words. Text nodes only: nothing a person types is ever read as markup. */
export function Words({ text }: { text: string }) {
  const pieces = useMemo(() => linkify(text), [text]);
  return pieces.map((piece, i) =>
    typeof piece === 'string' ? (
      piece
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: a text's pieces never change places
      <a key={i} className={styles.link} href={piece.href} target="_blank" rel="noopener noreferrer nofollow">
        {piece.label}
      </a>
    ),
  );
}
