import { fillText } from '@settee/protocol/texts/fillText';
import { texts } from '@settee/protocol/texts/texts';
import { memo, useContext, useMemo } from 'react';
import { timeOfDay } from '../../browser/times.ts';
import { Hidden } from '../../ui/Hidden.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { imageFrame } from '../images/pick/imageFrame.ts';
import { isEmojiOnly } from '../model/emojiOnly.ts';
import type { Entry } from '../model/entries.ts';
import { linkify } from '../model/linkify.ts';
import styles from './Bubble.module.css';
import textStyles from './MessageText.module.css';
import { ThreadContext } from './threadContext.ts';

type BubbleProps = {
  entry: Entry;
  mine: boolean;
  opensGroup: boolean;
  closesGroup: boolean;
  /** Always show the time. */
  showsTime: boolean;
  /** The receipt under this side's newest message. */
  receipt: 'sending' | 'sent' | 'seen' | undefined;
  seenAt: number | null;
  /** It arrived while the page was open, so animate it. */
  fresh: boolean;
  /** Tapped: keep time and Copy visible. */
  open: boolean;
  copied: boolean;
  /** The one message that Tab reaches. Arrow keys move on from there. */
  reachable: boolean;
  /** The staff member who wrote it. Never set for visitors. */
  author?: string | undefined;
};

/** Length of the message text in the Copy button's label. */
const COPY_NAME_MAX = 60;

const receipts = {
  sending: { icon: 'clock', text: texts.sending },
  sent: { icon: 'check', text: texts.sent },
  seen: { icon: 'seen', text: texts.seen },
} as const;

/** One message. The list handles its clicks. */
export const Bubble = memo(function Bubble(props: BubbleProps) {
  const { entry, mine, opensGroup, closesGroup, receipt, seenAt, copied } = props;
  const { name, MediaView, unsent, returned } = useContext(ThreadContext);
  const { media, text, at, state } = entry;
  const tabIndex = props.reachable ? 0 : -1;
  const sender = props.author ?? (mine ? texts.you : name);
  return (
    <article
      aria-label={fillText(texts.messageFrom, { name: sender, time: timeOfDay(at) })}
      className={styles.message}
      data-key={entry.key}
      data-seq={entry.seq ?? undefined}
      data-side={mine ? 'out' : 'in'}
      data-opens={opensGroup}
      data-closes={closesGroup}
      data-fresh={props.fresh}
      data-open={props.open}
      data-state={state}
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
              <MediaView media={media} mine={mine} name={name} tabIndex={tabIndex} />
            ) : (
              <div style={imageFrame(media)} />
            )}
          </div>
        ) : (
          <p className={styles.bubble}>
            {/* Not on the bubble, whose corners follow the sender's side, not the text direction. */}
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
              aria-label={fillText(texts.copyOf, { text: text.slice(0, COPY_NAME_MAX) })}
            >
              <Icon name={copied ? 'check' : 'copy'} size={16} />
            </button>
          )}
        </span>
      </div>
      {state === 'returned' ? (
        returned?.(entry)
      ) : state === 'refused' ? (
        <p className={`${styles.meta} ${styles.failed}`}>
          <Icon name="alert" size={15} />
          <span>{texts.notSent}</span>
          <button type="button" onClick={() => unsent?.retry(entry.key)}>
            {texts.tryAgain}
          </button>
          <button type="button" onClick={() => unsent?.drop(entry.key)}>
            {texts.dismiss}
          </button>
        </p>
      ) : receipt ? (
        <p className={styles.meta} data-receipt={receipt}>
          <Icon name={receipts[receipt].icon} size={15} />
          <span>
            {seenAt === null ? receipts[receipt].text : fillText(texts.seenAt, { time: timeOfDay(seenAt) })}
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
