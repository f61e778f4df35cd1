import { consoleTexts } from '@settee/protocol/consoleTexts';
import type { ClosedRow, QueueRow } from '@settee/protocol/conversation';
import { initials } from '@settee/protocol/initials';
import type { StaffSettings } from '@settee/protocol/staffSettings';
import { visitorNameOrLabel } from '@settee/protocol/visitor';
import { memo } from 'react';
import { Link } from 'react-router';
import { relativeTime } from '../../chat/times.ts';
import { Chip } from '../../staff/Chip.tsx';
import { tintOf } from '../../staff/tint.ts';
import { waitingOf } from '../../staff/waiting.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Hidden } from '../../ui/Hidden.tsx';
import { useDraft } from '../context.ts';
import styles from './QueueRowLink.module.css';
import { isUnread, type Show, searchFor } from './show.ts';

type QueueRowLinkProps = {
  row: QueueRow | ClosedRow;
  now: number;
  open: boolean;
  /** The list it stands in: the link stays in it. */
  show: Show;
  /** From when on it is marked as waiting. */
  settings?: StaffSettings | undefined;
};

/** One conversation in the list. Kept as it is while others change: a busy desk redraws only what is new. */
export const QueueRowLink = memo(({ row, now, open, show, settings }: QueueRowLinkProps) => {
  const name = visitorNameOrLabel(row);
  const ended = 'status' in row;
  const at = ended ? row.closedAt : row.lastMessageAt;
  return (
    <Link
      className={styles.row}
      to={{ pathname: `/conversation/${row.conversationId}`, search: searchFor(show) }}
      aria-current={open ? 'page' : undefined}
      data-unread={isUnread(row)}
    >
      <Avatar letters={initials(name)} size={42} tint={tintOf(row.visitorId)} dot={!ended} />
      <span className={styles.words}>
        <span className={styles.line}>
          <b className={styles.name}>
            <bdi>{name}</bdi>
          </b>
          <time className={styles.time} dateTime={new Date(at).toISOString()}>
            {relativeTime(at, now)}
          </time>
        </span>
        <span className={styles.line}>
          <Preview row={row} open={open} />
          {row.unread > 0 ? (
            <span className={styles.unread}>
              {row.unread}
              <Hidden> {consoleTexts.unread}</Hidden>
            </span>
          ) : (
            row.markedUnread && (
              <span className={styles.marked}>
                <Hidden>{consoleTexts.markedUnread}</Hidden>
              </span>
            )
          )}
        </span>
        {ended ? <Ended status={row.status} /> : <Waiting row={row} now={now} settings={settings} />}
      </span>
    </Link>
  );
});

/** Own words that were begun come first: they are what is left to do. In the open one they stand in the composer. */
function Preview({ row, open }: { row: QueueRow; open: boolean }) {
  const draft = useDraft(row.conversationId).trim();
  if (draft !== '' && !open) {
    return (
      <span className={styles.preview} data-draft="true">
        <span className={styles.draft}>{consoleTexts.draftMark}</span> <bdi>{draft}</bdi>
      </span>
    );
  }
  return (
    <span className={styles.preview}>
      {row.lastSender === 'owner' && `${consoleTexts.previewYou} `}
      <bdi>{row.lastMessage}</bdi>
    </span>
  );
}

function Waiting({ row, now, settings }: Pick<QueueRowLinkProps, 'now' | 'settings'> & { row: QueueRow }) {
  const waiting = waitingOf(row, now, settings);
  return (
    waiting && (
      <Chip tone={waiting.long ? 'danger' : 'lamp'} icon="clock">
        {waiting.words}
      </Chip>
    )
  );
}

function Ended({ status }: { status: ClosedRow['status'] }) {
  return status === 'blocked' ? (
    <Chip tone="danger" icon="ban">
      {consoleTexts.blockedMark}
    </Chip>
  ) : (
    <Chip tone="quiet" icon="check">
      {consoleTexts.closedMark}
    </Chip>
  );
}
