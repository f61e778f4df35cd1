import { imageTexts } from '@settee/protocol/texts/imageTexts';
import { texts } from '@settee/protocol/texts/texts';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { thumbHashToDataURL } from 'thumbhash';
import textStyles from '../../list/MessageText.module.css';
import type { Media } from '../../model/entries.ts';
import { imageFrame } from '../pick/imageFrame.ts';
import { imageLabel } from '../pick/imageLabel.ts';
import styles from './MediaView.module.css';
import imageStyles from './ThreadImage.module.css';
import { useAddress } from './useAddress.ts';

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

type ThreadImageProps = { media: Media; label: string; tabIndex: number };

/** A stored image. Shows a blurred preview until it has loaded. */
function ThreadImage({ media, label, tabIndex }: ThreadImageProps) {
  const place = useRef<HTMLButtonElement>(null);
  const { url, failed, broken, again } = useAddress(media.mediaUrl, useNearViewport(place));
  // An image that this page just uploaded is shown at once, without a fade.
  const own = url?.startsWith('blob:') ?? false;
  const [decoded, setDecoded] = useState<string>();
  const ground = blurOf(media.thumbhash);
  const frame = imageFrame(media);

  if (failed) {
    return (
      <div className={`${imageStyles.frame} ${imageStyles.broken}`} style={frame}>
        <p role="status">{imageTexts.couldNotLoad}</p>
        <button type="button" data-again tabIndex={tabIndex} onClick={again}>
          {texts.tryAgain}
        </button>
      </div>
    );
  }
  return (
    <button
      ref={place}
      type="button"
      className={imageStyles.frame}
      style={frame}
      data-image
      tabIndex={tabIndex}
      data-small={(media.width ?? frame.width) < frame.width}
      aria-label={label}
      aria-haspopup="dialog"
    >
      {ground && !own && <img className={imageStyles.ground} src={ground} alt="" />}
      {url && (
        <img
          key={url}
          className={imageStyles.picture}
          src={url}
          alt={label}
          draggable={false}
          decoding={own ? 'sync' : 'async'}
          data-shown={own || decoded === url}
          onLoad={({ currentTarget }) => {
            // Show it even if decoding fails.
            const show = () => setDecoded(url);
            void currentTarget.decode().then(show, show);
          }}
          onError={broken}
        />
      )}
    </button>
  );
}

const known = new Map<string, string | undefined>();

/** A blurred preview as a data URL. */
function blurOf(thumbhash: string | undefined): string | undefined {
  if (!thumbhash) return undefined;
  if (!known.has(thumbhash)) known.set(thumbhash, decode(thumbhash));
  return known.get(thumbhash);
}

function decode(thumbhash: string): string | undefined {
  try {
    return thumbHashToDataURL(Uint8Array.from(atob(thumbhash), (letter) => letter.charCodeAt(0)));
  } catch (error) {
    // Only the preview is missing.
    console.error('thumbhash:', error);
    return undefined;
  }
}

/** Images load when they are this close to the viewport. */
const NEAR_PX = 600;

/** True once an element has come near the viewport of its list. */
function useNearViewport(element: RefObject<HTMLElement | null>): boolean {
  const [near, setNear] = useState(false);
  useEffect(() => {
    if (near || !element.current) return;
    const observer = new IntersectionObserver(
      (seen) => seen.some(({ isIntersecting }) => isIntersecting) && setNear(true),
      // rootMargin applies only to the scrolling element.
      { root: element.current.closest('[role="log"]'), rootMargin: `${NEAR_PX}px 0px` },
    );
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, near]);
  return near;
}
