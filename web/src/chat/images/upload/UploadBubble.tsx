import { fillText } from '@settee/protocol/texts/fillText';
import { imageTexts } from '@settee/protocol/texts/imageTexts';
import { texts } from '@settee/protocol/texts/texts';
import { type MouseEvent, useState, useSyncExternalStore } from 'react';
import { Hidden } from '../../../ui/Hidden.tsx';
import { Icon } from '../../../ui/Icon.tsx';
import bubble from '../../list/Bubble.module.css';
import { imageFrame } from '../pick/imageFrame.ts';
import { imageLabel, progress } from '../pick/imageLabel.ts';
import picture from '../show/ThreadImage.module.css';
import styles from './UploadBubble.module.css';
import { isRunning, type Upload, type Uploads } from './upload.ts';

type UploadBubbleProps = { upload: Upload; done: number; opensGroup: boolean; closesGroup: boolean } & Pick<
  Uploads,
  'cancel' | 'retry'
>;

/** An upload, drawn like its future message, with progress and a cancel button. */
export function UploadBubble({ upload, done, opensGroup, closesGroup, cancel, retry }: UploadBubbleProps) {
  const { id, state, name, preview } = upload;
  const running = isRunning(upload);
  const failed = state === 'failed';
  const frame = imageFrame(upload);
  // The browser cannot decode this file. The server decides.
  const [unseen, setUnseen] = useState(false);

  /** The pressed button disappears, so the focus moves to the list first. */
  function press(act: (id: string) => void) {
    return ({ currentTarget }: MouseEvent) => {
      currentTarget.closest<HTMLElement>('[role="log"]')?.focus({ preventScroll: true });
      act(id);
    };
  }

  return (
    <article
      aria-label={texts.you}
      className={bubble.message}
      data-key={id}
      data-side="out"
      data-kind="media"
      data-upload={state}
      data-opens={opensGroup}
      data-closes={closesGroup}
      data-fresh="true"
    >
      {opensGroup && <Hidden>{texts.you}: </Hidden>}
      <div className={bubble.line}>
        <div className={bubble.bubble}>
          <div
            className={picture.frame}
            style={frame}
            data-small={(upload.width || frame.width) < frame.width}
          >
            {!unseen && (
              <img
                className={picture.picture}
                src={preview}
                alt={imageLabel(name, true, '')}
                decoding="sync"
                draggable={false}
                onError={() => setUnseen(true)}
              />
            )}
            <div className={styles.veil}>
              {running && <ProgressRing upload={upload} done={done} />}
              <button
                type="button"
                className={`${styles.cancel} ${running ? '' : styles.alone}`}
                aria-label={running ? imageTexts.cancel : fillText(imageTexts.remove, { name })}
                onClick={press(cancel)}
              >
                <Icon name="x" size={22} />
              </button>
            </div>
          </div>
        </div>
      </div>
      {running ? (
        <p className={bubble.meta}>
          <Icon name="clock" size={15} />
          <span>{texts.sending}</span>
        </p>
      ) : (
        <p className={`${bubble.meta} ${bubble.failed}`} role="alert">
          <Icon name="alert" size={15} />
          <span>{failed ? failureText(upload.problem) : (upload.problem ?? imageTexts.refused)}</span>
          <button type="button" onClick={press(failed ? retry : cancel)}>
            {failed ? texts.tryAgain : texts.dismiss}
          </button>
        </p>
      )}
    </article>
  );
}

type UploadListProps = {
  uploads: readonly Upload[];
  /** The last message above is from this side. */
  behindOwn: boolean;
  of: Pick<Uploads, 'cancel' | 'retry' | 'progress' | 'subscribeProgress'>;
};

/** The uploads, below all messages. */
export function UploadList({ uploads, behindOwn, of }: UploadListProps) {
  const bytesDone = useSyncExternalStore(of.subscribeProgress, of.progress);
  return uploads.map((upload, i) => (
    <UploadBubble
      key={upload.id}
      upload={upload}
      done={bytesDone.get(upload.id) ?? 0}
      opensGroup={i === 0 && !behindOwn}
      closesGroup={i === uploads.length - 1}
      cancel={of.cancel}
      retry={of.retry}
    />
  ));
}

/** The text of a failed upload, with the reason unless it is the network. */
export function failureText(problem: string | null): string {
  const known = problem === null || problem === texts.networkError || problem === texts.notSent;
  return known ? texts.notSent : `${texts.notSent} ${problem}`;
}

const RADIUS = 23;
const ROUND = 2 * Math.PI * RADIUS;
/** While the server processes the image, a part of the ring rotates. */
const TURNING = 0.3;

function ProgressRing({ upload, done }: { upload: Upload; done: number }) {
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
