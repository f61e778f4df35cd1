import { texts } from '@settee/protocol/texts/texts';
import { memo, useMemo } from 'react';
import { timeOfDay } from '../../browser/times.ts';
import { Hidden } from '../../ui/Hidden.tsx';
import { Icon } from '../../ui/Icon.tsx';
import type { ImageScript } from '../images/load.ts';
import { imageFrame } from '../images/pick/imageFrame.ts';
import { isEmojiOnly } from '../model/emojiOnly.ts';
import type { Entry } from '../model/entries.ts';
import { linkify } from '../model/linkify.ts';
import styles from './Bubble.module.css';
import textStyles from './MessageText.module.css';

type BubbleProps = {
  entry: Entry;
  mine: boolean;
  opensGroup: boolean;
  closesGroup: boolean;
  /** The time stands under the bubble by itself, not only when asked for. */
  showsTime: boolean;
  /** The words under this side's newest message. */
  receipt: 'sending' | 'sent' | 'seen' | undefined;
  seenAt: number | null;
  /** It came while the page was open: it may move in. */
  fresh: boolean;
  /** Tapped: time and Copy stay in sight. */
  open: boolean;
  copied: boolean;
  /** The one message whose Copy or picture the Tab key reaches; the arrows go on from there. */
  reachable: boolean;
  /** The name of the other side. */
  name: string;
  /** The colleague who wrote it; never set for visitors. */
  author?: string | undefined;
  /** Draws its media; until it is there the place is kept. */
  MediaView: ImageScript['MediaView'] | undefined;
  onRetry: (id: string) => void;
  /** It stays until its writer has no more use for it. */
  onDrop: (id: string) => void;
};

/** How much of its message a Copy button is named after. */
const COPY_NAME_MAX = 60;

const receipts = {
  sending: { icon: 'clock', text: texts.sending },
  sent: { icon: 'check', text: texts.sent },
  seen: { icon: 'seen', text: texts.seen },
} as const;

/** One message. Presses on it and on its Copy are heard by the list, which knows all of them. */
export const Bubble = memo(function Bubble(props: BubbleProps) {
  const { entry, mine, opensGroup, closesGroup, receipt, seenAt, copied, MediaView } = props;
  const { media, text, at, state } = entry;
  const tabIndex = props.reachable ? 0 : -1;
  const sender = props.author ?? (mine ? texts.you : props.name);
  return (
    <article
      aria-label={`${sender}, ${timeOfDay(at)}`}
      className={styles.message}
      data-key={entry.key}
      data-seq={entry.seq ?? undefined}
      data-side={mine ? 'out' : 'in'}
      data-opens={opensGroup}
      data-closes={closesGroup}
      data-fresh={props.fresh}
      data-open={props.open}
      data-timed={props.showsTime}
      data-kind={media ? 'media' : isEmojiOnly(text) ? 'emoji' : 'words'}
    >
      {opensGroup &&
        (props.author === undefined ? (
          <Hidden>{sender}: </Hidden>
        ) : (
          <p className={styles.author}>
            <bdi>{sender}</bdi>
            <Hidden>: </Hidden>
          </p>
        ))}
      <div className={styles.line}>
        {media ? (
          <div className={styles.bubble}>
            {MediaView ? (
              <MediaView media={media} mine={mine} name={props.name} tabIndex={tabIndex} />
            ) : (
              <div style={imageFrame(media)} />
            )}
          </div>
        ) : (
          <p className={styles.bubble}>
            {/* Not on the bubble: its corners belong to the sender's side, whatever way the words run. */}
            <span className={styles.words} dir="auto">
              <MessageText text={text} />
            </span>
          </p>
        )}
        <span className={styles.tools}>
          <Time at={at} />
          {!media && (
            <button
              type="button"
              data-copy
              tabIndex={tabIndex}
              aria-label={`${texts.copy}: ${text.slice(0, COPY_NAME_MAX)}`}
            >
              <Icon name={copied ? 'check' : 'copy'} size={16} />
            </button>
          )}
        </span>
      </div>
      {state === 'failed' ? (
        <p className={`${styles.meta} ${styles.failed}`}>
          <Icon name="alert" size={15} />
          <span>{texts.notSent}</span>
          <button type="button" onClick={() => props.onRetry(entry.key)}>
            {texts.tryAgain}
          </button>
          <button type="button" onClick={() => props.onDrop(entry.key)}>
            {texts.dismiss}
          </button>
        </p>
      ) : receipt ? (
        <p className={styles.meta} data-receipt={receipt}>
          <Icon name={receipts[receipt].icon} size={15} />
          <span>
            {receipts[receipt].text}
            {seenAt !== null && ` ${timeOfDay(seenAt)}`}
          </span>
        </p>
      ) : (
        props.showsTime && (
          <p className={styles.meta}>
            <Time at={at} />
          </p>
        )
      )}
    </article>
  );
});

function Time({ at }: { at: number }) {
  const date = new Date(at);
  return (
    <time dateTime={Number.isNaN(date.getTime()) ? undefined : date.toISOString()}>{timeOfDay(at)}</time>
  );
}

/** Renders text nodes and links only, so that nothing a person types is read as markup. */
function MessageText({ text }: { text: string }) {
  const pieces = useMemo(() => linkify(text), [text]);
  return pieces.map((piece, i) =>
    typeof piece === 'string' ? (
      piece
    ) : (
      <a
        // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text never change places
        key={i}
        className={textStyles.link}
        href={piece.href}
        target="_blank"
        rel="noopener noreferrer nofollow"
      >
        {piece.label}
      </a>
    ),
  );
}
