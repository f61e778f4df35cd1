import { fillText } from '@settee/protocol/texts/fillText';
import { texts } from '@settee/protocol/texts/texts';
import {
  createContext,
  Fragment,
  type MouseEventHandler,
  memo,
  type ReactNode,
  type RefObject,
  useContext,
  useMemo,
  useState,
} from 'react';
import { timeOfDay } from '../../browser/times.ts';
import { Hidden } from '../../ui/Hidden.tsx';
import { Icon } from '../../ui/Icon.tsx';
import type { Images } from '../images/images.ts';
import { imageFrame } from '../images/pick/imageFrame.ts';
import type { ImageScript } from '../images/useImageScript.ts';
import type { ConversationState } from '../model/conversationState.ts';
import { isEmojiOnly } from '../model/emojiOnly.ts';
import { type Entry, receiptOf } from '../model/entries.ts';
import { focusableEntry } from '../model/focusableEntry.ts';
import type { Row } from '../model/grouping.ts';
import { linkify } from '../model/linkify.ts';
import type { LiveConversation } from '../model/liveConversation.ts';
import { countNew } from '../model/unread.ts';
import bubble from './Bubble.module.css';
import styles from './MessageList.module.css';
import textStyles from './MessageText.module.css';

type MessageRowsProps = {
  rows: readonly Row[];
  state: ConversationState;
  ownNewest: Entry | undefined;
  /** The key of the first unread message. */
  newFrom: string | undefined;
  /** The line above the first unread message. */
  divider: RefObject<HTMLParagraphElement | null>;
  images: Images | undefined;
  openKey: string | null;
  copiedKey: string | null;
  between: ((seq: number) => ReactNode) | undefined;
};

/** The messages, with days, the line above the first unread message, and what stands between them. */
export function MessageRows(props: MessageRowsProps) {
  const { rows, state, ownNewest, images, between } = props;
  const headAtLoad = useHeadAtLoad(state);
  const newest = rows.at(-1)?.entry;
  const reachable = focusableEntry(rows.map(({ entry }) => entry));
  return rows.map(({ entry, day, author, opensGroup, closesGroup }) => {
    const mine = entry.sender === state.me;
    const receipt = entry === ownNewest ? receiptOf(entry, state) : undefined;
    const wasUpload = images?.addresses.known(entry.media?.mediaUrl ?? '')?.startsWith('blob:');
    return (
      <Fragment key={entry.key}>
        {day !== undefined && <p className={styles.day}>{day}</p>}
        {entry.key === props.newFrom && (
          <p ref={props.divider} className={styles.new}>
            {texts.newDivider}
          </p>
        )}
        <Bubble
          entry={entry}
          mine={mine}
          opensGroup={opensGroup}
          closesGroup={closesGroup}
          showsTime={entry === newest && !mine}
          receipt={receipt?.state}
          seenAt={receipt?.seenAt ?? null}
          fresh={(entry.seq === null || entry.seq > headAtLoad) && !wasUpload}
          open={entry.key === props.openKey}
          copied={entry.key === props.copiedKey}
          reachable={entry === reachable}
          author={author}
        />
        {entry.seq !== null && between?.(entry.seq)}
      </Fragment>
    );
  });
}

/** Only messages that arrive after the page opened are animated. */
function useHeadAtLoad(state: ConversationState): number {
  const [head, setHead] = useState<number>();
  if (head === undefined && state.loaded) setHead(state.head);
  return head ?? Number.POSITIVE_INFINITY;
}

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
const Bubble = memo(function Bubble(props: BubbleProps) {
  const { entry, mine, opensGroup, closesGroup, receipt, seenAt, copied } = props;
  const { name, MediaView, unsent, returned } = useContext(ThreadContext);
  const { media, text, at, state } = entry;
  const tabIndex = props.reachable ? 0 : -1;
  const sender = props.author ?? (mine ? texts.you : name);
  return (
    <article
      aria-label={fillText(texts.messageFrom, { name: sender, time: timeOfDay(at) })}
      className={bubble.message}
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
          <p className={bubble.author}>
            <bdi>{sender}</bdi>
            <Hidden>: </Hidden>
          </p>
        ))}
      <div className={bubble.line}>
        {media ? (
          <div className={bubble.bubble}>
            {MediaView ? (
              <MediaView media={media} mine={mine} name={name} tabIndex={tabIndex} />
            ) : (
              <div style={imageFrame(media)} />
            )}
          </div>
        ) : (
          <p className={bubble.bubble}>
            {/* Not on the bubble, whose corners follow the sender's side, not the text direction. */}
            <span className={bubble.words} dir="auto">
              <MessageText text={text} />
            </span>
          </p>
        )}
        <span className={bubble.tools}>
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
        <p className={`${bubble.meta} ${bubble.failed}`}>
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
        <p className={bubble.meta} data-receipt={receipt}>
          <Icon name={receipts[receipt].icon} size={15} />
          <span>
            {seenAt === null ? receipts[receipt].text : fillText(texts.seenAt, { time: timeOfDay(seenAt) })}
          </span>
        </p>
      ) : (
        props.showsTime && (
          <p className={bubble.meta}>
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

/** What all bubbles of a list share. */
export type Thread = {
  /** The name of the other side. */
  name: string;
  /** Renders media. Until it has loaded, the space is reserved. */
  MediaView?: ImageScript['MediaView'] | undefined;
  /** Sends a refused message again, or dismisses it. */
  unsent?: Pick<LiveConversation, 'retry' | 'drop'> | undefined;
  /** Below a message that is held until its writer decides. Never used for visitors. */
  returned?: ((entry: Entry) => ReactNode) | undefined;
};

export const ThreadContext = createContext<Thread>({ name: '' });

type NewestPillProps = {
  state: ConversationState;
  place: 'end' | 'near' | 'far';
  /** The number of the last message that was read. */
  after: number;
  onPress: MouseEventHandler;
};

/** Goes to the newest message. Shown while new messages lie below, or the end is far. */
export function NewestPill({ state, place, after, onPress }: NewestPillProps) {
  const count = place === 'end' ? 0 : countNew(state, after);
  if (count === 0 && place !== 'far') return null;
  const label = count === 0 ? undefined : fillText(texts.newMessages, { count });
  return (
    <button
      type="button"
      className={styles.pill}
      data-new={count > 0}
      aria-label={label ?? texts.toNewest}
      onClick={onPress}
    >
      <Icon name="down" size={18} />
      {label}
    </button>
  );
}
