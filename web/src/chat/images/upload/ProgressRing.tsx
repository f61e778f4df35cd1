import { fillText } from '@settee/protocol/texts/fillText';
import { imageTexts } from '@settee/protocol/texts/imageTexts';
import { progress } from '../pick/imageLabel.ts';
import styles from './UploadBubble.module.css';
import type { Upload } from './upload.ts';

const RADIUS = 23;
const ROUND = 2 * Math.PI * RADIUS;
/** While the server processes the image, a part of the ring rotates. */
const TURNING = 0.3;

export function ProgressRing({ upload, done }: { upload: Upload; done: number }) {
  const { bytes, name } = upload;
  const checking = upload.state === 'checking';
  const part = bytes > 0 ? Math.min(done / bytes, 1) : 0;
  const text = checking ? imageTexts.checking : progress(done, bytes);
  return (
    <>
      <div
        className={styles.ring}
        data-checking={checking}
        role="progressbar"
        aria-label={fillText(imageTexts.uploading, { name })}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={checking ? undefined : Math.round(part * 100)}
        aria-valuetext={text}
      >
        <svg viewBox="0 0 52 52" aria-hidden="true">
          <circle cx="26" cy="26" r={RADIUS} />
          <circle
            className={styles.done}
            cx="26"
            cy="26"
            r={RADIUS}
            strokeDasharray={ROUND}
            strokeDashoffset={ROUND * (1 - (checking ? TURNING : part))}
          />
        </svg>
      </div>
      <span className={styles.words}>{text}</span>
    </>
  );
}
