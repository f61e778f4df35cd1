import type { Person } from '@settee/protocol/calls/peopleCalls';
import { initials } from '@settee/protocol/model/initials';
import { fillText, formatNumber } from '@settee/protocol/texts/fillText';
import { peopleTexts } from '@settee/protocol/texts/peopleTexts';
import { listText } from '../../browser/listText.ts';
import { relativeTime } from '../../browser/times.ts';
import { formatDuration } from '../../staff/formatDuration.ts';
import { NameList } from '../../staff/NameList.tsx';
import { Pill } from '../../staff/Pill.tsx';
import { tintOf } from '../../staff/tint.ts';
import { Avatar } from '../../ui/Avatar.tsx';
import { Hidden } from '../../ui/Hidden.tsx';
import { useAdmin } from '../context.ts';
import type { Column } from '../parts/ListTable.tsx';
import { DeskName, useDeskNames, useDeskText } from '../useDesks.tsx';
import styles from './personColumns.module.css';

export const personColumns: readonly Column<Person>[] = [
  { text: peopleTexts.name, cell: (person) => <NameAndEmail person={person} /> },
  { text: peopleTexts.desk, width: 148, cell: (person) => <Desks aliases={desksOf(person)} /> },
  {
    text: peopleTexts.role,
    width: 124,
    from: 'm',
    cell: ({ role }) =>
      role === 'admin' ? <Pill tone="brand">{peopleTexts.admin}</Pill> : peopleTexts.handler,
  },
  { text: peopleTexts.presence, width: 164, cell: presenceText },
  {
    text: peopleTexts.open,
    width: 76,
    number: true,
    line: 'none',
    cell: ({ alias, open }) =>
      alias !== null && (
        <span title={fillText(peopleTexts.openCount, { count: open })}>{formatNumber(open)}</span>
      ),
  },
  {
    text: peopleTexts.medianReply,
    width: 148,
    number: true,
    from: 'l',
    line: 'none',
    cell: ({ alias, medianFirstReplyMs: ms }) =>
      alias !== null && (ms === null ? peopleTexts.noReply : formatDuration(ms)),
  },
  {
    text: peopleTexts.secondFactor,
    width: 124,
    from: 'l',
    line: 'none',
    cell: ({ hasFactor }) => (hasFactor ? peopleTexts.factorOn : peopleTexts.factorOff),
  },
];

/** With several profiles, each desk has the picture of its own, so the names take more space. */
export const columnsOfSeveral: readonly Column<Person>[] = personColumns.map((column) =>
  column.text === peopleTexts.desk
    ? {
        text: peopleTexts.desks,
        width: 288,
        line: 'whole',
        cell: (person) => <DeskChips aliases={desksOf(person)} />,
      }
    : column,
);

/** All desks, the first one first. */
export function desksOf({ alias, desks }: Pick<Person, 'alias' | 'desks'>): readonly string[] {
  return desks ?? (alias === null ? [] : [alias]);
}

function Desks({ aliases }: { aliases: readonly string[] }) {
  const names = useDeskNames();
  if (aliases.length < 2) return <DeskName alias={aliases[0] ?? null} />;
  const shown = aliases.map((alias) => names[alias] ?? alias);
  return (
    <span className={styles.desks} title={listText(shown)}>
      {/* The box of a clamped text would make each name a line. */}
      <span>
        <NameList names={shown} />
      </span>
    </span>
  );
}

const CHIPS_SHOWN = 2;

function DeskChips({ aliases }: { aliases: readonly string[] }) {
  const text = useDeskText();
  const more = aliases.slice(CHIPS_SHOWN).map(text);
  return (
    <span className={styles.chips}>
      {aliases.slice(0, CHIPS_SHOWN).map((alias) => (
        <span key={alias} className={styles.chip}>
          <DeskName alias={alias} />
        </span>
      ))}
      {more.length > 0 && (
        <span className={styles.chip} title={listText(more)}>
          <span aria-hidden="true">+{formatNumber(more.length)}</span>
          <Hidden>{listText(more)}</Hidden>
        </span>
      )}
    </span>
  );
}

function NameAndEmail({ person: { id, name, email, online, away } }: { person: Person }) {
  const { staff } = useAdmin();
  return (
    <span className={styles.face}>
      <Avatar letters={initials(name)} size={28} tint={tintOf(id)} dot={online && !away} />
      <span className={styles.who}>
        <span className={styles.name}>
          <bdi>{name}</bdi>
          {id === staff.staffId && <small>{peopleTexts.you}</small>}
        </span>
        <span className={styles.email}>{email}</span>
      </span>
    </span>
  );
}

/** Online, away, or last seen. */
export function presenceText(
  { online, away, lastSeenAt }: Pick<Person, 'online' | 'away' | 'lastSeenAt'>,
  now: number,
): string {
  if (online) return away ? peopleTexts.away : peopleTexts.online;
  if (lastSeenAt === null) return peopleTexts.neverSeen;
  if (now - lastSeenAt < 60_000) return peopleTexts.seenJustNow;
  return fillText(peopleTexts.lastSeen, { ago: relativeTime(lastSeenAt, now) });
}
