import type { AdminRow } from '@settee/protocol/calls/conversationAdminCalls';
import type { ConversationStatus } from '@settee/protocol/model/conversation';
import { initials } from '@settee/protocol/model/initials';
import { visitorNameOrLabel } from '@settee/protocol/model/visitor';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { conversationAdminTexts as texts } from '@settee/protocol/texts/conversationAdminTexts';
import { fillText, formatNumber } from '@settee/protocol/texts/fillText';
import { memo } from 'react';
import { useLocation, useParams } from 'react-router';
import { relativeTime } from '../../browser/times.ts';
import { Chip } from '../../staff/Chip.tsx';
import { Pill } from '../../staff/Pill.tsx';
import { previewText } from '../../staff/previewText.ts';
import { tintOf } from '../../staff/tint.ts';
import { waitingOf } from '../../staff/waiting.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { iconShapes } from '../../ui/Icon.tsx';
import { useLiveAdmin } from '../context.ts';
import { type Column, ListRow } from '../parts/ListTable.tsx';
import { Link, useNavigate } from '../parts/links.tsx';
import { DeskName } from '../useDesks.tsx';
import type { Task } from './ConversationDialogs.tsx';
import styles from './ConversationRow.module.css';

export const columns: readonly Column<AdminRow>[] = [
  {
    text: texts.visitor,
    width: 220,
    cell: (row) => <VisitorLink row={row} id={rowId(row.conversationId)} />,
  },
  {
    text: texts.lastMessage,
    line: 'whole',
    cell: ({ lastSender, handlerAlias, lastMessage }) => (
      <span className={styles.said}>
        {lastSender === 'owner' && <span>{fillText(consoleTexts.authorMark, { name: handlerAlias })}</span>}
        <span dir="auto">{previewText(lastMessage)}</span>
      </span>
    ),
  },
  { text: texts.desk, width: 136, cell: ({ handlerAlias }) => <DeskName alias={handlerAlias} /> },
  { text: texts.status, width: 196, cell: (row, now) => <Status row={row} now={now} /> },
  {
    text: texts.messages,
    width: 84,
    from: 'l',
    number: true,
    line: 'none',
    cell: ({ head }) => formatNumber(head),
  },
  {
    text: texts.when,
    width: 116,
    number: true,
    line: 'corner',
    cell: ({ lastMessageAt: at }, now) => (
      <time dateTime={new Date(at).toISOString()}>{relativeTime(at, now)}</time>
    ),
  },
];

type VisitorLinkProps = {
  row: Pick<AdminRow, 'conversationId' | 'visitorId' | 'visitorName'>;
  id: string | undefined;
  /** Opens the conversation at this message. */
  seq?: number;
};

/** Opens the conversation and keeps the list's filters. The link covers the whole row. */
export function VisitorLink({ row, id, seq }: VisitorLinkProps) {
  const { '*': openId } = useParams();
  const search = new URLSearchParams(useLocation().search);
  if (seq !== undefined) search.set('message', String(seq));
  const name = visitorNameOrLabel(row);
  return (
    <span className={styles.who}>
      <Avatar letters={initials(name)} size={28} tint={tintOf(row.visitorId)} />
      <Link
        id={id}
        data-row
        dir="auto"
        preventScrollReset
        to={{ pathname: `/conversations/${row.conversationId}`, search: search.toString() }}
        aria-current={row.conversationId === openId ? 'page' : undefined}
      >
        {name}
      </Link>
    </span>
  );
}

type ConversationRowProps = {
  row: AdminRow;
  now: number;
  open: boolean;
  selected: boolean;
  onSelect: (id: string, selected: boolean) => void;
  onTask: (task: Task | 'toggle', row: AdminRow) => void;
};

/** The id of the row's link. */
export function rowId(conversationId: string): string {
  return `conversation-${conversationId}`;
}

export const ConversationRow = memo(
  ({ row, now, open, selected, onSelect, onTask }: ConversationRowProps) => {
    const { conversationId: id, status } = row;
    const navigate = useNavigate();
    const { search } = useLocation();
    const name = visitorNameOrLabel(row);
    const to = { pathname: `/conversations/${id}`, search };
    return (
      <ListRow
        columns={columns}
        row={row}
        now={now}
        open={open}
        tick={{ label: fillText(texts.select, { name }), selected, onSelect: (on) => onSelect(id, on) }}
        menu={{
          label: fillText(texts.actionsFor, { name }),
          items: [
            { text: texts.openOne, run: () => void navigate(to, { preventScrollReset: true }) },
            { text: adminTexts.reassign, run: () => onTask('reassign', row) },
            status !== 'blocked' && {
              text: status === 'open' ? texts.close : texts.reopen,
              run: () => onTask('toggle', row),
            },
            status === 'blocked'
              ? { text: texts.unblock, run: () => onTask('unblock', row) }
              : { text: texts.block, danger: true, run: () => onTask('block', row) },
          ],
        }}
      />
    );
  },
);

function Status({ row, now }: { row: AdminRow; now: number }) {
  const { text, tone } = statusText[row.status];
  return (
    <span className={styles.status}>
      {row.status === 'blocked' ? <Pill tone={tone}>{text}</Pill> : <span>{text}</span>}
      <Waiting row={row} now={now} />
    </span>
  );
}

function Waiting({ row, now }: { row: AdminRow; now: number }) {
  const { settings } = useLiveAdmin();
  if (row.status !== 'open' || row.waitingSince === null) return null;
  const waiting = waitingOf(row, now, settings);
  return (
    <Chip tone={waiting ? (waiting.long ? 'danger' : 'lamp') : 'quiet'} icon={iconShapes.clock}>
      {waiting?.text ?? consoleTexts.waiting}
    </Chip>
  );
}

/** The text states the status; the colour only repeats it. */
export const statusText = {
  open: { text: texts.open, tone: 'good' },
  closed: { text: texts.closed, tone: 'plain' },
  blocked: { text: texts.blocked, tone: 'bad' },
} as const satisfies Record<ConversationStatus, { text: string; tone: 'good' | 'plain' | 'bad' }>;
