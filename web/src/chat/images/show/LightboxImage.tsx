import { imageTexts } from '@settee/protocol/texts/imageTexts';
import { texts } from '@settee/protocol/texts/texts';
import { type RefObject, useState } from 'react';
import { Spinner } from '../../../ui/Spinner.tsx';
import type { Media } from '../../model/entries.ts';
import styles from './Lightbox.module.css';
import { useAddress } from './useAddress.ts';
import type { View } from './zoom.ts';

type LightboxPictureProps = {
  picture: RefObject<HTMLImageElement | null>;
  media: Media;
  label: string;
  view: View;
  pulled: number;
};

export function LightboxImage({ picture, media, label, view, pulled }: LightboxPictureProps) {
  const { url, failed, broken, again } = useAddress(media.mediaUrl, true);
  const [loaded, setLoaded] = useState(false);

  if (failed) {
    return (
      <div className={styles.broken}>
        <p role="alert">{imageTexts.couldNotLoad}</p>
        <button type="button" onClick={again}>
          {texts.tryAgain}
        </button>
      </div>
    );
  }
  return (
    <>
      {!loaded && (
        <div className={styles.waits}>
          <Spinner size={28} />
        </div>
      )}
      {url && (
        <img
          ref={picture}
          className={styles.picture}
          style={{
            transform: `translate(${view.x + pulled}px, ${view.y}px) scale(${view.scale})`,
          }}
          src={url}
          alt={label}
          draggable={false}
          data-shown={loaded}
          data-close={view.scale > 1}
          onLoad={() => setLoaded(true)}
          onError={broken}
        />
      )}
    </>
  );
}
