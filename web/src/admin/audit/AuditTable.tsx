import type { AuditEntry } from '@settee/protocol/calls/auditCalls';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { auditTexts } from '@settee/protocol/texts/auditTexts';
import { Link } from 'react-router';
import { dateAndTime } from '../../browser/dateAndTime.ts';
import { useCurrentMinute } from '../../staff/useCurrentMinute.ts';
import { type Column, ListRow, ListTable } from '../parts/ListTable.tsx';
import styles from './AuditPage.module.css';
import { actionText, actorText, detailText, targetLink, targetText } from './auditText.ts';

const columns: readonly Column[] = [
  { text: auditTexts.action },
  { text: auditTexts.actor, width: 200 },
  { text: auditTexts.target, width: 240 },
  { text: auditTexts.time, width: 148, number: true, line: 'corner' },
];

export function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  const now = useCurrentMinute();
  return (
    <ListTable label={adminTexts.auditLog} columns={columns}>
      {entries.map((entry) => (
        <ListRow
          key={entry.id}
          columns={columns}
          cells={[
            <Action key="action" entry={entry} />,
            <bdi key="actor">{actorText(entry.actor)}</bdi>,
            <Target key="target" target={entry.target} />,
            <time key="time" dateTime={new Date(entry.at).toISOString()}>
              {dateAndTime(entry.at, now)}
            </time>,
          ]}
        />
      ))}
    </ListTable>
  );
}

function Action({ entry: { action, details } }: { entry: AuditEntry }) {
  const text = detailText(details);
  return (
    <span className={styles.action}>
      {actionText(action)}
      {text !== '' && (
        <small className={styles.details}>
          <bdi>{text}</bdi>
        </small>
      )}
    </span>
  );
}

function Target({ target }: Pick<AuditEntry, 'target'>) {
  const link = targetLink(target);
  const text = <bdi>{targetText(target)}</bdi>;
  return link === undefined ? text : <Link to={link}>{text}</Link>;
}
