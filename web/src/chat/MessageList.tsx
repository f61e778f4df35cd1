import { texts } from '@settee/protocol/texts';
import { Fragment, type ReactNode, useEffect, useMemo, useRef } from 'react';
import { Dots } from '../ui/Dots.tsx';
import { Hidden } from '../ui/Hidden.tsx';
import { Announcer } from './Announcer.tsx';
import { Bubble } from './Bubble.tsx';
import type { ConversationState } from './conversationState.ts';
import { entriesOf, receiptOf } from './entries.ts';
import { groupRows } from './grouping.ts';
import styles from './MessageList.module.css';
import { useStickToEnd } from './useStickToEnd.ts';

const LOAD_OLDER_WITHIN_PX = 400;

type MessageListProps = {
  state: ConversationState;
  /** What the other side is called. */
  name: string;
  /** Stands where the first message will. */
  empty: ReactNode;
  /** Stands above the very first message. */
  top?: ReactNode;
  onRetry: (id: string) => void;
  onLooked: (seq: number) => void;
  onNearTop: () => void;
};

export function MessageList({ state, name, empty, top, onRetry, onLooked, onNearTop }: MessageListProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const entries = useMemo(() => entriesOf(state), [state]);
  const incoming = useMemo(() => entries.filter((entry) => entry.sender !== state.me), [entries, state.me]);
  const rows = useMemo(() => groupRows(entries, Date.now()), [entries]);
  const ownNewest = entries.findLast((entry) => entry.sender === state.me);
  const writing = state.pending.at(-1)?.id;
  const typing = state.typingUntil > 0;
  const { nearEnd, onScroll } = useStickToEnd(scroller, entries[0]?.key, state, writing);
  const headAtLoad = useHeadAtLoad(state);
  const lastSeq = state.log.messages.at(-1)?.seq ?? 0;

  useEffect(() => {
    const look = () => {
      if (document.visibilityState === 'visible' && nearEnd()) onLooked(lastSeq);
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  });

  function scrolled(): void {
    onScroll();
    if (nearEnd()) onLooked(lastSeq);
    if ((scroller.current?.scrollTop ?? 0) < LOAD_OLDER_WITHIN_PX) onNearTop();
  }

  return (
    <div className={styles.frame}>
      <div
        ref={scroller}
        className={styles.scroller}
        onScroll={scrolled}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
        tabIndex={0}
        role="log"
        aria-live="off"
        aria-label={texts.messages}
      >
        <div className={styles.list}>
          {!state.loaded && entries.length === 0 ? (
            <div className={styles.centre} role="status">
              <Dots />
              <Hidden>{texts.messagesLoading}</Hidden>
            </div>
          ) : (
            (entries[0]?.seq ?? 1) <= 1 && top
          )}
          {state.loaded && entries.length === 0 && <div className={styles.centre}>{empty}</div>}
          {rows.map((row) => (
            <Fragment key={row.entry.key}>
              {row.day !== undefined && <p className={styles.day}>{row.day}</p>}
              <Bubble
                row={row}
                mine={row.entry.sender === state.me}
                receipt={receiptUnder(row.entry === ownNewest, row.entry, state)}
                fresh={row.entry.seq === null || row.entry.seq > headAtLoad}
                onRetry={onRetry}
              />
            </Fragment>
          ))}
          {typing && (
            <p className={styles.typing}>
              <Dots />
              <span className={styles.typingWords}>
                {name} {texts.isTyping}
              </span>
            </p>
          )}
        </div>
      </div>
      {state.loaded && <Announcer incoming={incoming} name={name} />}
    </div>
  );
}

function receiptUnder(newest: boolean, entry: Parameters<typeof receiptOf>[0], state: ConversationState) {
  const receipt = newest ? receiptOf(entry, state) : undefined;
  return receipt === 'failed' ? undefined : receipt;
}

/** What was there when the page opened does not move in; what comes later does. */
function useHeadAtLoad(state: ConversationState): number {
  const head = useRef<number | undefined>(undefined);
  if (head.current === undefined && state.loaded) head.current = state.head;
  return head.current ?? Number.POSITIVE_INFINITY;
}
