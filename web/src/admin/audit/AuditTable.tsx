import type { AuditEntry } from '@settee/protocol/auditCalls';
import { auditTexts } from '@settee/protocol/auditTexts';
import { Link } from 'react-router';
import { dateAndTime } from '../../staff/formats.ts';
import { useMinute } from '../../staff/useMinute.ts';
import table from '../parts/table.module.css';
import styles from './AuditTable.module.css';
import { actionWords, actorWords, detailWords, targetLink, targetWords } from './words.ts';

/** A table where there is room; on a phone each entry is a few lines. */
export function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  const now = useMinute();
  return (
    <table className={`${table.table} ${styles.table}`}>
      <thead>
        <tr>
          <th scope="col">{auditTexts.time}</th>
          <th scope="col">{auditTexts.actor}</th>
          <th scope="col">{auditTexts.action}</th>
          <th scope="col">{auditTexts.target}</th>
        </tr>
      </thead>
      <tbody>
        {entries.map((entry) => (
          <tr key={entry.id}>
            <td className={styles.time}>
              <time dateTime={new Date(entry.at).toISOString()}>{dateAndTime(entry.at, now)}</time>
            </td>
            <td>
              <bdi>{actorWords(entry.actor)}</bdi>
            </td>
            <td className={styles.action}>
              {actionWords(entry.action)}
              <Details details={entry.details} />
            </td>
            <td>
              <Target target={entry.target} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Details({ details }: Pick<AuditEntry, 'details'>) {
  const words = detailWords(details);
  return (
    words !== '' && (
      <small className={styles.details}>
        <bdi>{words}</bdi>
      </small>
    )
  );
}

function Target({ target }: Pick<AuditEntry, 'target'>) {
  const link = targetLink(target);
  const words = <bdi>{targetWords(target)}</bdi>;
  return link === undefined ? words : <Link to={link}>{words}</Link>;
}
