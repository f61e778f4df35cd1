import { useRef } from 'react';
import textStyles from '../../list/MessageText.module.css';
import type { Media } from '../../model/entries.ts';
import { pictureName } from '../pick/pictureName.ts';
import styles from './MediaView.module.css';
import { Picture } from './Picture.tsx';
import { useAddress } from './useAddress.ts';
import { useNear } from './useNear.ts';

type MediaViewProps = {
  media: Media;
  mine: boolean;
  /** What the other side is called. */
  name: string;
  /** Of a picture. */
  tabIndex: number;
};

/** A picture, a film, or a link to a file, by its type. */
export function MediaView({ media, mine, name, tabIndex }: MediaViewProps) {
  if (media.mediaType.startsWith('image/'))
    return <Picture media={media} label={pictureName(media.fileName, mine, name)} tabIndex={tabIndex} />;
  return <OtherMedia media={media} />;
}

/** Nobody can send these from here; a message of another origin may carry them. */
function OtherMedia({ media: { mediaUrl, mediaType, fileName } }: { media: Media }) {
  const place = useRef<HTMLDivElement>(null);
  const { url } = useAddress(mediaUrl, useNear(place));
  return (
    <div ref={place}>
      {mediaType.startsWith('video/') ? (
        // biome-ignore lint/a11y/useMediaCaption: what people send each other comes without captions
        <video className={styles.film} src={url} controls preload="metadata" aria-label={fileName} />
      ) : (
        <a
          className={`${textStyles.link} ${styles.file}`}
          href={url}
          target="_blank"
          rel="noopener noreferrer nofollow"
        >
          {fileName || mediaUrl}
        </a>
      )}
    </div>
  );
}
