import type { AdminRow } from '@settee/protocol/calls/conversationAdminCalls';
import { initials } from '@settee/protocol/model/initials';
import { visitorNameOrLabel } from '@settee/protocol/model/visitor';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { conversationAdminTexts as texts } from '@settee/protocol/texts/conversationAdminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { memo } from 'react';
import { Link, useNavigate } from 'react-router';
import { relativeTime } from '../../browser/times.ts';
import { Chip } from '../../staff/Chip.tsx';
import { Pill } from '../../staff/Pill.tsx';
import { tintOf } from '../../staff/tint.ts';
import { waitingOf } from '../../staff/waiting.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { useLiveAdmin } from '../context.ts';
import { type Column, ListRow } from '../parts/ListTable.tsx';
import { RowMenu, RowMenuItem } from '../parts/RowMenu.tsx';
import type { Task } from './ConversationDialogs.tsx';
import styles from './ConversationRow.module.css';
import { statusText } from './statusText.ts';

export const columns: readonly Column[] = [
  { text: texts.visitor, width: 220 },
  { text: texts.lastMessage, line: 'whole' },
  { text: texts.handler, width: 128 },
  { text: texts.status, width: 196 },
  { text: texts.messages, width: 84, from: 'l', number: true, line: 'none' },
  { text: texts.when, width: 84, number: true, line: 'corner' },
];

type ConversationRowProps = {
  row: AdminRow;
  now: number;
  open: boolean;
  /** The query string of the list, kept in the link. */
  search: string;
  selected: boolean;
  onSelect: (id: string, selected: boolean) => void;
  onTask: (task: Task | 'toggle', row: AdminRow) => void;
};

/** The id of the row's link. */
export function rowId(conversationId: string): string {
  return `conversation-${conversationId}`;
}

export const ConversationRow = memo(
  ({ row, now, open, search, selected, onSelect, onTask }: ConversationRowProps) => {
    const { conversationId: id, handlerAlias, lastMessageAt, head, status } = row;
    const navigate = useNavigate();
    const name = visitorNameOrLabel(row);
    const to = { pathname: `/conversations/${id}`, search };
    const { text, tone } = statusText[status];
    return (
      <ListRow
        columns={columns}
        open={open}
        tick={{
          label: fillText(texts.select, { name }),
          selected,
          onSelect: (on) => onSelect(id, on),
        }}
        cells={[
          <span key="name" className={styles.who}>
            <Avatar letters={initials(name)} size={28} tint={tintOf(row.visitorId)} />
            <Link id={rowId(id)} data-row preventScrollReset to={to} aria-current={open ? 'page' : undefined}>
              <bdi>{name}</bdi>
            </Link>
          </span>,
          <span key="preview">
            {row.lastSender === 'owner' && `${handlerAlias}: `}
            <bdi>{row.lastMessage}</bdi>
          </span>,
          handlerAlias,
          <span key="status" className={styles.status}>
            <Pill tone={tone}>{text}</Pill>
            <Waiting row={row} now={now} />
          </span>,
          head.toLocaleString('en'),
          <time key="time" dateTime={new Date(lastMessageAt).toISOString()}>
            {relativeTime(lastMessageAt, now)}
          </time>,
        ]}
        menu={
          <RowMenu label={fillText(texts.actionsFor, { name })}>
            {(choose) => (
              <>
                <RowMenuItem onClick={() => choose(() => void navigate(to, { preventScrollReset: true }))}>
                  {texts.openOne}
                </RowMenuItem>
                <RowMenuItem onClick={() => choose(() => onTask('reassign', row))}>
                  {adminTexts.reassign}
                </RowMenuItem>
                {status !== 'blocked' && (
                  <RowMenuItem onClick={() => choose(() => onTask('toggle', row))}>
                    {status === 'open' ? texts.close : texts.reopen}
                  </RowMenuItem>
                )}
                {status === 'blocked' ? (
                  <RowMenuItem onClick={() => choose(() => onTask('unblock', row))}>
                    {texts.unblock}
                  </RowMenuItem>
                ) : (
                  <RowMenuItem danger onClick={() => choose(() => onTask('block', row))}>
                    {texts.block}
                  </RowMenuItem>
                )}
              </>
            )}
          </RowMenu>
        }
      />
    );
  },
);

function Waiting({ row, now }: { row: AdminRow; now: number }) {
  const { settings } = useLiveAdmin();
  if (row.status !== 'open' || row.waitingSince === null) return null;
  const waiting = waitingOf(row, now, settings);
  return (
    <Chip tone={waiting ? (waiting.long ? 'danger' : 'lamp') : 'quiet'} icon="clock">
      {waiting?.text ?? consoleTexts.waiting}
    </Chip>
  );
}
