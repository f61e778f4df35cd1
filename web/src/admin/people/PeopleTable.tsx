import type { Person } from '@settee/protocol/calls/peopleCalls';
import { initials } from '@settee/protocol/model/initials';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { fillText } from '@settee/protocol/texts/fillText';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { relativeTime } from '../../browser/times.ts';
import { formatDuration } from '../../staff/formatDuration.ts';
import menu from '../../staff/menu/items.module.css';
import { Pill } from '../../staff/Pill.tsx';
import { tintOf } from '../../staff/tint.ts';
import { useCurrentMinute } from '../../staff/useCurrentMinute.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { useAdmin } from '../context.ts';
import { type Column, ListRow, ListTable } from '../parts/ListTable.tsx';
import { RowMenu, RowMenuItem } from '../parts/RowMenu.tsx';
import styles from './PeopleTable.module.css';

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

export function PeopleTable({ people, onChoose }: PeopleTableProps) {
  const now = useCurrentMinute();
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
        presenceText(person, now),
        alias === null ? null : (
          <span key="open" title={fillText(peopleTexts.openCount, { count: `${open}` })}>
            {open}
          </span>
        ),
        alias === null
          ? null
          : medianFirstReplyMs === null
            ? peopleTexts.noReply
            : formatDuration(medianFirstReplyMs),
        <Pill key="factor" tone={hasFactor ? 'good' : 'plain'}>
          {hasFactor ? peopleTexts.factorOn : peopleTexts.factorOff}
        </Pill>,
      ]}
      menu={<PersonMenu person={person} self={id === staff.staffId} onChoose={onChoose} />}
    />
  );
}

type PersonMenuProps = { person: Person; self: boolean; onChoose: (task: Task) => void };

/** Tasks on a person. For oneself, only those that do not lock oneself out. */
function PersonMenu({ person, self, onChoose }: PersonMenuProps) {
  return (
    <RowMenu label={fillText(peopleTexts.actionsFor, { name: person.name })}>
      {(choose) => {
        const item = (task: Task, text: string) => (
          <RowMenuItem danger={task === 'deactivate'} onClick={() => choose(() => onChoose(task))}>
            {text}
          </RowMenuItem>
        );
        if (!person.active) return item('activate', peopleTexts.activate);
        return (
          <>
            {item('edit', peopleTexts.edit)}
            {!self && item('newLink', peopleTexts.newLink)}
            {item('signOut', peopleTexts.signOut)}
            {!self && person.hasFactor && item('resetFactor', peopleTexts.resetFactor)}
            {!self && <div className={menu.group}>{item('deactivate', peopleTexts.deactivate)}</div>}
          </>
        );
      }}
    </RowMenu>
  );
}

/** Online, away, or last seen. */
export function presenceText(
  { online, away, lastSeenAt }: Pick<Person, 'online' | 'away' | 'lastSeenAt'>,
  now: number,
): string {
  if (online) return away ? peopleTexts.away : peopleTexts.online;
  if (lastSeenAt === null) return peopleTexts.neverSeen;
  return fillText(peopleTexts.lastSeen, { ago: relativeTime(lastSeenAt, now).toLowerCase() });
}

/** Tasks in a person's row menu. */
export type Task = 'edit' | 'newLink' | 'signOut' | 'resetFactor' | 'deactivate' | 'activate';
