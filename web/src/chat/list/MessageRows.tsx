import { texts } from '@settee/protocol/texts/texts';
import { Fragment, type ReactNode, type RefObject, useState } from 'react';
import type { Images } from '../images/images.ts';
import type { ConversationState } from '../model/conversationState.ts';
import { type Entry, receiptOf } from '../model/entries.ts';
import { focusableEntry } from '../model/focusableEntry.ts';
import type { Row } from '../model/grouping.ts';
import { Bubble } from './Bubble.tsx';
import styles from './MessageList.module.css';

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
