import type { ManagedInvite } from '@settee/protocol/model/managedInvite';
import { visitorNameOrLabel } from '@settee/protocol/model/visitor';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import { Link } from 'react-router';
import { dateAndTime } from '../../browser/dateAndTime.ts';
import { dayLabel, relativeTime } from '../../browser/times.ts';
import { Pill } from '../../staff/Pill.tsx';
import { useCurrentMinute } from '../../staff/useCurrentMinute.ts';
import { type Column, ListRow, ListTable } from '../parts/ListTable.tsx';
import { RowMenu, RowMenuItem } from '../parts/RowMenu.tsx';
import type { Selection } from '../parts/useSelection.ts';
import type { InviteTask } from './InviteDialogs.tsx';
import { inviteName, stateTone, stateWord } from './inviteText.ts';

type InviteTableProps = {
  rows: readonly ManagedInvite[];
  selection: Selection;
  onTask: (asked: InviteTask) => void;
};

export function InviteTable({ rows, selection, onTask }: InviteTableProps) {
  const now = useCurrentMinute();
  return (
    <ListTable
      label={adminTexts.invites}
      columns={columns}
      ticks={{ ...selection.ticks, label: texts.selectShown }}
      menus={texts.actions}
    >
      {rows.map((invite) => (
        <InviteRow
          key={invite.id}
          invite={invite}
          now={now}
          selected={selection.selected.includes(invite.id)}
          onSelect={(on) => selection.select(invite.id, on)}
          onTask={onTask}
        />
      ))}
    </ListTable>
  );
}

const columns: readonly Column[] = [
  { text: texts.label },
  { text: texts.state, width: 108 },
  { text: texts.handler, width: 132 },
  { text: texts.visitor, width: 160 },
  { text: texts.opened, width: 148 },
  { text: texts.created, width: 112, from: 'l', line: 'none' },
  { text: texts.expires, width: 112, from: 'm', line: 'named' },
];

type InviteRowProps = {
  invite: ManagedInvite;
  now: number;
  selected: boolean;
  onSelect: (selected: boolean) => void;
  onTask: (asked: InviteTask) => void;
};

function InviteRow({ invite, now, selected, onSelect, onTask }: InviteRowProps) {
  const label = inviteName(invite);
  const { state, handlerAlias, createdAt, expiresAt, conversation } = invite;
  return (
    <ListRow
      columns={columns}
      tick={{ label: fillText(texts.selectOne, { label }), selected, onSelect }}
      cells={[
        <bdi key="label">{label}</bdi>,
        <Pill key="state" tone={stateTone[state]}>
          {stateWord(state)}
        </Pill>,
        handlerAlias,
        conversation && (
          <Link key="visitor" to={`/conversations/${conversation.id}`}>
            <bdi>{visitorNameOrLabel(conversation)}</bdi>
          </Link>
        ),
        <span key="opened" title={openedAt(invite, now)}>
          {opened(invite, now)}
        </span>,
        <span key="created" title={dateAndTime(createdAt, now)}>
          {dayLabel(createdAt, now)}
        </span>,
        state === 'BOUND' || state === 'REVOKED' ? null : dayLabel(expiresAt, now),
      ]}
      menu={<InviteMenu invite={invite} onTask={onTask} />}
    />
  );
}

/** When the invite was opened, or when the chat started. */
function opened({ seenAt, boundAt }: ManagedInvite, now: number): string {
  if (boundAt !== null) return fillText(texts.started, { when: relativeTime(boundAt, now) });
  return seenAt === null ? texts.notOpened : relativeTime(seenAt, now);
}

function openedAt({ seenAt, boundAt }: ManagedInvite, now: number): string | undefined {
  const at = boundAt ?? seenAt;
  return at === null ? undefined : dateAndTime(at, now);
}

/** The tasks that the invite's state allows. */
function InviteMenu({ invite, onTask }: { invite: ManagedInvite; onTask: (asked: InviteTask) => void }) {
  const { state } = invite;
  if (state === 'REVOKED') return null;
  return (
    <RowMenu label={fillText(texts.actionsOf, { label: inviteName(invite) })}>
      {(choose) => (
        <>
          <RowMenuItem onClick={() => choose(() => onTask({ what: 'edit', invite }))}>
            {texts.edit}
          </RowMenuItem>
          {/* A replaced link would be expired as well: edit the days first. */}
          {state !== 'EXPIRED' && (
            <RowMenuItem onClick={() => choose(() => onTask({ what: 'replace', invite }))}>
              {texts.replaceLink}
            </RowMenuItem>
          )}
          {state === 'BOUND' && (
            <RowMenuItem onClick={() => choose(() => onTask({ what: 'code', invite }))}>
              {texts.resetCode}
            </RowMenuItem>
          )}
          <RowMenuItem danger onClick={() => choose(() => onTask({ what: 'revoke', invites: [invite] }))}>
            {texts.revoke}
          </RowMenuItem>
        </>
      )}
    </RowMenu>
  );
}
