import { consoleTexts } from '@settee/protocol/consoleTexts';
import type { AdminRow } from '@settee/protocol/conversationAdminCalls';
import { conversationAdminTexts as words } from '@settee/protocol/conversationAdminTexts';
import { fillText } from '@settee/protocol/fillText';
import { initials } from '@settee/protocol/initials';
import { visitorNameOrLabel } from '@settee/protocol/visitor';
import { memo } from 'react';
import { Link } from 'react-router';
import { relativeTime } from '../../chat/times.ts';
import { Chip } from '../../staff/Chip.tsx';
import { Pill } from '../../staff/Pill.tsx';
import { tintOf } from '../../staff/tint.ts';
import { waitingOf } from '../../staff/waiting.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Hidden } from '../../ui/Hidden.tsx';
import { useLiveAdmin } from '../context.ts';
import styles from './ConversationRow.module.css';
import { statusWords } from './statusWords.ts';

type ConversationRowProps = {
  row: AdminRow;
  now: number;
  open: boolean;
  /** The list it stands in: the link stays in it. */
  search: string;
  selected: boolean;
  onSelect: (id: string, selected: boolean) => void;
};

/** Where its link is found. */
export function rowId(conversationId: string): string {
  return `conversation-${conversationId}`;
}

/** One conversation. A line of cells where there is room, a card where there is not. */
export const ConversationRow = memo(
  ({ row, now, open, search, selected, onSelect }: ConversationRowProps) => {
    const { conversationId: id, handlerAlias, lastMessageAt, head } = row;
    const name = visitorNameOrLabel(row);
    const { text, tone } = statusWords[row.status];
    return (
      <li className={styles.row} data-open={open}>
        <label className={styles.check}>
          <input
            type="checkbox"
            aria-label={fillText(words.select, { name })}
            checked={selected}
            onChange={(event) => onSelect(id, event.target.checked)}
          />
        </label>
        <Link
          id={rowId(id)}
          className={styles.cells}
          preventScrollReset
          to={{ pathname: `/conversations/${id}`, search }}
          aria-current={open ? 'page' : undefined}
        >
          <Avatar letters={initials(name)} size={28} tint={tintOf(row.visitorId)} />
          <b className={styles.name}>
            <bdi>{name}</bdi>
          </b>
          <span className={styles.preview}>
            {row.lastSender === 'owner' && `${handlerAlias}: `}
            <bdi>{row.lastMessage}</bdi>
          </span>
          <span className={styles.about}>
            <span className={styles.alias}>
              <Hidden>{words.handler} </Hidden>
              {handlerAlias}
            </span>
            <span>
              <Pill tone={tone}>{text}</Pill>
            </span>
            <span className={styles.waiting}>
              <Waiting row={row} now={now} />
            </span>
          </span>
          <span className={styles.count}>
            {head}
            <Hidden> {words.messages}</Hidden>
          </span>
          <time className={styles.time} dateTime={new Date(lastMessageAt).toISOString()}>
            {relativeTime(lastMessageAt, now)}
          </time>
        </Link>
      </li>
    );
  },
);

function Waiting({ row, now }: { row: AdminRow; now: number }) {
  const { settings } = useLiveAdmin();
  if (row.status !== 'open' || row.waitingSince === null) return null;
  const waiting = waitingOf(row, now, settings);
  return (
    <Chip tone={waiting ? (waiting.long ? 'danger' : 'lamp') : 'quiet'} icon="clock">
      {waiting?.words ?? consoleTexts.waiting}
    </Chip>
  );
}
