import type { Person } from '@settee/protocol/calls/peopleCalls';
import { initials } from '@settee/protocol/model/initials';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { duration } from '../../staff/formats.ts';
import { Pill } from '../../staff/Pill.tsx';
import { tintOf } from '../../staff/tint.ts';
import { useMinute } from '../../staff/useMinute.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { useAdmin } from '../context.ts';
import { type Column, ListRow, ListTable } from '../parts/ListTable.tsx';
import styles from './PeopleTable.module.css';
import { PersonMenu } from './PersonMenu.tsx';
import { presenceWords } from './presenceWords.ts';
import type { Task } from './task.ts';

const columns: readonly Column[] = [
  { text: peopleTexts.name },
  { text: peopleTexts.alias, width: 132 },
  { text: peopleTexts.role, width: 124, from: 'm' },
  { text: peopleTexts.presence, width: 164 },
  { text: peopleTexts.open, width: 76, number: true, line: 'none' },
  { text: peopleTexts.medianReply, width: 148, number: true, from: 'l', line: 'none' },
  { text: peopleTexts.secondFactor, width: 124, from: 'l', line: 'none' },
];

type PeopleTableProps = { people: readonly Person[]; onChoose: (task: Task, person: Person) => void };

/** Who works here. */
export function PeopleTable({ people, onChoose }: PeopleTableProps) {
  const now = useMinute();
  return (
    <ListTable label={adminTexts.handlers} columns={columns} menus={peopleTexts.actions}>
      {people.map((person) => (
        <PersonRow key={person.id} person={person} now={now} onChoose={(task) => onChoose(task, person)} />
      ))}
    </ListTable>
  );
}

type PersonRowProps = { person: Person; now: number; onChoose: (task: Task) => void };

function PersonRow({ person, now, onChoose }: PersonRowProps) {
  const { staff } = useAdmin();
  const { id, name, email, role, alias, open, medianFirstReplyMs, hasFactor, online, away } = person;
  return (
    <ListRow
      columns={columns}
      cells={[
        <span key="person" className={styles.face}>
          <Avatar letters={initials(name)} size={28} tint={tintOf(id)} dot={online && !away} />
          <span className={styles.who}>
            <span className={styles.name}>
              <bdi>{name}</bdi>
              {id === staff.staffId && <Pill tone="plain">{peopleTexts.you}</Pill>}
            </span>
            <span className={styles.email}>{email}</span>
          </span>
        </span>,
        alias,
        <Pill key="role" tone={role === 'admin' ? 'brand' : 'plain'}>
          {role === 'admin' ? peopleTexts.admin : peopleTexts.handler}
        </Pill>,
        presenceWords(person, now),
        alias === null ? null : (
          <span key="open" title={fillText(peopleTexts.openCount, { count: `${open}` })}>
            {open}
          </span>
        ),
        alias === null
          ? null
          : medianFirstReplyMs === null
            ? peopleTexts.noReply
            : duration(medianFirstReplyMs),
        <Pill key="factor" tone={hasFactor ? 'good' : 'plain'}>
          {hasFactor ? peopleTexts.factorOn : peopleTexts.factorOff}
        </Pill>,
      ]}
      menu={<PersonMenu person={person} self={id === staff.staffId} onChoose={onChoose} />}
    />
  );
}
