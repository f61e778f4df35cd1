import type { ManagedInvite } from '@settee/protocol/model/managedInvite';
import { visitorNameOrLabel } from '@settee/protocol/model/visitor';
import { fillText } from '@settee/protocol/texts/fillText';
import { inviteAdminTexts as texts } from '@settee/protocol/texts/inviteAdminTexts';
import { Link } from 'react-router';
import { dateAndTime } from '../../browser/dateAndTime.ts';
import { dayLabel, relativeTime } from '../../browser/times.ts';
import { Pill } from '../../staff/Pill.tsx';
import { type Column, ListRow } from '../parts/ListTable.tsx';
import type { Asked } from './InviteDialog.tsx';
import { InviteMenu } from './InviteMenu.tsx';
import { inviteName } from './inviteName.ts';
import { stateTone, stateWord } from './stateWords.ts';

export const columns: readonly Column[] = [
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
  onAsk: (asked: Asked) => void;
};

export function InviteRow({ invite, now, selected, onSelect, onAsk }: InviteRowProps) {
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
      menu={<InviteMenu invite={invite} onAsk={onAsk} />}
    />
  );
}

/** When somebody opened it, and when they began. */
function opened({ seenAt, boundAt }: ManagedInvite, now: number): string {
  if (boundAt !== null) return fillText(texts.started, { when: relativeTime(boundAt, now) });
  return seenAt === null ? texts.notOpened : relativeTime(seenAt, now);
}

function openedAt({ seenAt, boundAt }: ManagedInvite, now: number): string | undefined {
  const at = boundAt ?? seenAt;
  return at === null ? undefined : dateAndTime(at, now);
}
