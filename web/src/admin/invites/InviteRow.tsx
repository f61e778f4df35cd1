import { fillText } from '@settee/protocol/fillText';
import { inviteAdminTexts as texts } from '@settee/protocol/inviteAdminTexts';
import type { ManagedInvite } from '@settee/protocol/managedInvite';
import { visitorNameOrLabel } from '@settee/protocol/visitor';
import { Link } from 'react-router';
import { dayLabel, relativeTime } from '../../chat/times.ts';
import { dateAndTime } from '../../staff/formats.ts';
import { Pill } from '../../staff/Pill.tsx';
import { Hidden } from '../../ui/Hidden.tsx';
import type { Asked } from './InviteDialog.tsx';
import { InviteMenu } from './InviteMenu.tsx';
import styles from './InviteTable.module.css';
import { inviteName } from './inviteName.ts';
import { stateTone, stateWord } from './stateWords.ts';

type InviteRowProps = {
  invite: ManagedInvite;
  now: number;
  marked: boolean;
  onMark: (marked: boolean) => void;
  onAsk: (asked: Asked) => void;
};

export function InviteRow({ invite, now, marked, onMark, onAsk }: InviteRowProps) {
  const label = inviteName(invite);
  const { state, handlerAlias, createdAt, expiresAt, conversation } = invite;
  return (
    <tr data-marked={marked}>
      <td className={styles.box}>
        <label className={styles.check}>
          <input type="checkbox" checked={marked} onChange={(event) => onMark(event.target.checked)} />
          <Hidden>{fillText(texts.selectOne, { label })}</Hidden>
        </label>
      </td>
      <th scope="row" className={styles.label}>
        <bdi>{label}</bdi>
      </th>
      <td className={styles.state}>
        <Pill tone={stateTone[state]}>{stateWord(state)}</Pill>
      </td>
      <td className={styles.handler}>{handlerAlias}</td>
      <td className={styles.visitor}>
        {conversation && (
          <Link to={`/conversations/${conversation.id}`}>
            <bdi>{visitorNameOrLabel(conversation)}</bdi>
          </Link>
        )}
      </td>
      <td className={styles.opened} title={openedAt(invite, now)}>
        {opened(invite, now)}
      </td>
      <td className={styles.created} data-word={texts.created} title={dateAndTime(createdAt, now)}>
        {dayLabel(createdAt, now)}
      </td>
      <td className={styles.expires} data-word={texts.expires}>
        {state === 'BOUND' || state === 'REVOKED' ? '' : dayLabel(expiresAt, now)}
      </td>
      <td className={styles.menu}>
        <InviteMenu invite={invite} onAsk={onAsk} />
      </td>
    </tr>
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
