import { useRef } from 'react';
import textStyles from '../../list/MessageText.module.css';
import type { Media } from '../../model/entries.ts';
import { imageLabel } from '../pick/imageLabel.ts';
import styles from './MediaView.module.css';
import { ThreadImage } from './ThreadImage.tsx';
import { useAddress } from './useAddress.ts';
import { useNearViewport } from './useNearViewport.ts';

type MediaViewProps = {
  media: Media;
  mine: boolean;
  /** The name of the other side. */
  name: string;
  tabIndex: number;
};

/** An image, a video, or a link to a file. */
export function MediaView({ media, mine, name, tabIndex }: MediaViewProps) {
  if (media.mediaType.startsWith('image/'))
    return <ThreadImage media={media} label={imageLabel(media.fileName, mine, name)} tabIndex={tabIndex} />;
  return <OtherMedia media={media} />;
}

/** This app cannot send these, but other clients may. */
function OtherMedia({ media: { mediaUrl, mediaType, fileName } }: { media: Media }) {
  const place = useRef<HTMLDivElement>(null);
  const { url } = useAddress(mediaUrl, useNearViewport(place));
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
