import { useMemo } from 'react';
import type { Media } from './entries.ts';
import { linkify } from './linkify.ts';
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

/** A picture, a film, or a link to a file, by its type. */
export function MediaView({ media: { mediaUrl: url, mediaType: type, fileName: name } }: { media: Media }) {
  if (type.startsWith('image/')) return <img className={styles.media} src={url} alt={name} />;
  if (type.startsWith('video/')) {
    // biome-ignore lint/a11y/useMediaCaption: what people send each other comes without captions
    return <video className={styles.media} src={url} controls preload="metadata" aria-label={name} />;
  }
  return (
    <a className={styles.link} href={url} target="_blank" rel="noopener noreferrer nofollow">
      {name || url}
    </a>
  );
}
