import { imageTexts } from '@settee/protocol/texts/imageTexts';
import { texts } from '@settee/protocol/texts/texts';
import { useRef, useState } from 'react';
import { thumbHashToDataURL } from 'thumbhash';
import type { Media } from '../../model/entries.ts';
import { imageFrame } from '../pick/imageFrame.ts';
import styles from './ThreadImage.module.css';
import { useAddress } from './useAddress.ts';
import { useNearViewport } from './useNearViewport.ts';

type PictureProps = { media: Media; label: string; tabIndex: number };

/** A stored image. Shows a blurred preview until it has loaded. */
export function ThreadImage({ media, label, tabIndex }: PictureProps) {
  const place = useRef<HTMLButtonElement>(null);
  const { url, failed, broken, again } = useAddress(media.mediaUrl, useNearViewport(place));
  // An image that this page just uploaded is shown at once, without a fade.
  const own = url?.startsWith('blob:') ?? false;
  const [decoded, setDecoded] = useState<string>();
  const ground = blurOf(media.thumbhash);
  const frame = imageFrame(media);

  if (failed) {
    return (
      <div className={`${styles.frame} ${styles.broken}`} style={frame}>
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
      className={styles.frame}
      style={frame}
      data-image
      tabIndex={tabIndex}
      data-small={(media.width ?? frame.width) < frame.width}
      aria-label={label}
      aria-haspopup="dialog"
    >
      {ground && !own && <img className={styles.ground} src={ground} alt="" />}
      {url && (
        <img
          key={url}
          className={styles.picture}
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
