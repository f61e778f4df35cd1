import { consoleTexts } from '@settee/protocol/consoleTexts';
import type { QueueRow } from '@settee/protocol/conversation';
import { initials } from '@settee/protocol/initials';
import { visitorNameOrLabel } from '@settee/protocol/visitor';
import { Link } from 'react-router';
import { relativeTime } from '../../chat/times.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Hidden } from '../../ui/Hidden.tsx';
import { tintOf } from '../tint.ts';
import styles from './QueueRowLink.module.css';

export function QueueRowLink({ row, now, open }: { row: QueueRow; now: number; open: boolean }) {
  const name = visitorNameOrLabel(row);
  const preview =
    row.lastSender === 'owner' ? `${consoleTexts.previewYou} ${row.lastMessage}` : row.lastMessage;
  return (
    <Link
      className={styles.row}
      to={`/conversation/${row.conversationId}`}
      aria-current={open ? 'page' : undefined}
      data-unread={row.unread > 0}
    >
      <Avatar letters={initials(name)} size={42} tint={tintOf(row.visitorId)} dot />
      <span className={styles.words}>
        <span className={styles.line}>
          <b className={styles.name}>
            <bdi>{name}</bdi>
          </b>
          <time className={styles.time} dateTime={new Date(row.lastMessageAt).toISOString()}>
            {relativeTime(row.lastMessageAt, now)}
          </time>
        </span>
        <span className={styles.line}>
          <span className={styles.preview}>
            <bdi>{preview}</bdi>
          </span>
          {row.unread > 0 && (
            <span className={styles.unread}>
              {row.unread}
              <Hidden> {consoleTexts.unread}</Hidden>
            </span>
          )}
        </span>
      </span>
    </Link>
  );
}
