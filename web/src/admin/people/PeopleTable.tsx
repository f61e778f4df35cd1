import { fillText } from '@settee/protocol/fillText';
import { initials } from '@settee/protocol/initials';
import type { Person } from '@settee/protocol/peopleCalls';
import { peopleTexts } from '@settee/protocol/peopleTexts';
import { duration } from '../../staff/formats.ts';
import { Pill } from '../../staff/Pill.tsx';
import { tintOf } from '../../staff/tint.ts';
import { useMinute } from '../../staff/useMinute.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { useAdmin } from '../context.ts';
import table from '../parts/table.module.css';
import styles from './PeopleTable.module.css';
import { PersonMenu } from './PersonMenu.tsx';
import { presenceWords } from './presenceWords.ts';
import type { Task } from './task.ts';

type PeopleTableProps = { people: readonly Person[]; onChoose: (task: Task, person: Person) => void };

const NO_BREAK = '\u00a0';

/** Who works here. On a phone a row says the same in one cell. */
export function PeopleTable({ people, onChoose }: PeopleTableProps) {
  const now = useMinute();
  return (
    <table className={`${table.table} ${styles.people}`}>
      <thead>
        <tr>
          <th scope="col">{peopleTexts.name}</th>
          <th scope="col" className={styles.wide}>
            {peopleTexts.alias}
          </th>
          <th scope="col" className={styles.widest}>
            {peopleTexts.role}
          </th>
          <th scope="col" className={styles.wide}>
            {peopleTexts.presence}
          </th>
          <th scope="col" className={`${table.number} ${styles.wide}`}>
            {peopleTexts.open}
          </th>
          <th scope="col" className={`${table.number} ${styles.widest}`}>
            {peopleTexts.medianReply}
          </th>
          <th scope="col" className={styles.widest}>
            {peopleTexts.secondFactor}
          </th>
          <th scope="col">
            <span className={styles.unseen}>{peopleTexts.actions}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {people.map((person) => (
          <PersonRow key={person.id} person={person} now={now} onChoose={(task) => onChoose(task, person)} />
        ))}
      </tbody>
    </table>
  );
}

type PersonRowProps = { person: Person; now: number; onChoose: (task: Task) => void };

function PersonRow({ person, now, onChoose }: PersonRowProps) {
  const { staff } = useAdmin();
  const { id, name, email, role, alias, open, medianFirstReplyMs, hasFactor, online, away } = person;
  const presence = presenceWords(person, now);
  const roleWord = role === 'admin' ? peopleTexts.admin : peopleTexts.handler;
  return (
    <tr>
      <th scope="row" className={styles.person}>
        <span className={styles.face}>
          <Avatar letters={initials(name)} size={42} tint={tintOf(id)} dot={online && !away} />
          <span className={styles.who}>
            <span className={styles.name}>
              <bdi>{name}</bdi>
              {id === staff.staffId && <Pill tone="plain">{peopleTexts.you}</Pill>}
              {role === 'admin' && (
                <span className={styles.between}>
                  <Pill tone="brand">{roleWord}</Pill>
                </span>
              )}
            </span>
            <span className={styles.email}>{email}</span>
            <span className={styles.brief}>
              {[
                alias,
                roleWord,
                presence,
                alias !== null && fillText(peopleTexts.openCount, { count: `${open}` }),
              ]
                .filter((part) => typeof part === 'string')
                .map((part) => part.replaceAll(' ', NO_BREAK))
                .join(' · ')}
            </span>
          </span>
        </span>
      </th>
      <td className={styles.wide}>{alias ?? <span className={table.dim}>–</span>}</td>
      <td className={styles.widest}>
        <Pill tone={role === 'admin' ? 'brand' : 'plain'}>{roleWord}</Pill>
      </td>
      <td className={`${styles.wide} ${online ? '' : table.dim}`}>{presence}</td>
      <td className={`${table.number} ${styles.wide}`}>{alias === null ? '–' : open}</td>
      <td className={`${table.number} ${styles.widest}`}>
        <MedianWords alias={alias} ms={medianFirstReplyMs} />
      </td>
      <td className={styles.widest}>
        <Pill tone={hasFactor ? 'good' : 'plain'}>
          {hasFactor ? peopleTexts.factorOn : peopleTexts.factorOff}
        </Pill>
      </td>
      <td className={styles.actions}>
        <PersonMenu person={person} self={id === staff.staffId} onChoose={onChoose} />
      </td>
    </tr>
  );
}

function MedianWords({ alias, ms }: { alias: string | null; ms: number | null }) {
  if (ms !== null) return duration(ms);
  return <span className={table.dim}>{alias === null ? '–' : peopleTexts.noReply}</span>;
}
