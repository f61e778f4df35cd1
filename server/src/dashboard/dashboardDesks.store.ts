import {
  type Dashboard,
  HANDLERS_SHOWN,
  WAITING_CLASSES,
  WAITING_SHOWN,
} from '@settee/protocol/model/dashboard';
import type { Database } from '../platform/db/database.ts';
import { DESK_PEOPLE } from '../platform/db/deskPeople.ts';
import { millis, sql } from '../platform/db/query.ts';
import { last30Days } from './dashboardPeriod.ts';
import { readFigures, readSlots } from './figures.store.ts';
import { medianWaitByDesk, readWaits } from './waits.ts';

/** A message of this moment, or from a clock slightly ahead, waits since now. */
const CLASSES = [0, ...WAITING_CLASSES].map((from, n) => {
  const until = WAITING_CLASSES[n];
  const bounds = [
    from > 0 && `waiting_since <= $1::timestamptz - interval '${from} minutes'`,
    until !== undefined && `waiting_since > $1::timestamptz - interval '${until} minutes'`,
  ];
  return `count(waiting_since) filter (where ${bounds.filter(Boolean).join(' and ')})`;
});

/** Open conversations are few and indexed, so one scan serves all figures. */
const openQuery = (ofDesks: string) => `
  with open as materialized (
    select id, handler_alias as alias, waiting_since from conversations where status = 'open' ${ofDesks}
  ),
  longest as (
    select c.id as "conversationId", c.visitor_id as "visitorId", c.visitor_name as "visitorName",
      c.preview as "lastMessage", c.handler_alias as alias,
      ${millis('o.waiting_since').text} as "waitingSince"
    from (select * from open where waiting_since is not null order by waiting_since, id limit ${WAITING_SHOWN}) o
    join conversations c on c.id = o.id
    order by o.waiting_since, o.id
  )
  select count(waiting_since)::float8 as count,
    ${millis('min(waiting_since)').text} as "longestSince",
    array[${CLASSES.join(', ')}]::float8[] as classes,
    coalesce((select json_agg(longest) from longest), '[]') as rows,
    coalesce((select json_object_agg(alias, n) from (select alias, count(*) as n from open group by alias) a), '{}') as open
  from open`;
export const OPEN = openQuery('');
const OPEN_AT_DESKS = openQuery('and handler_alias = any ($2::text[])');

/** Every desk with staff or with work, as in desks.ts; and when someone was last there. */
const desksQuery = (shown: readonly string[] | null) => sql`
  select h.alias, h.number,
    coalesce(array_agg(s.name order by s.name, s.id) filter (where s.id is not null), '{}') as people,
    exists (select from presence p where p.alias = h.alias and p.expires_at > now()) as online,
    ${millis('h.last_seen_at')} as "lastSeenAt"
  from handlers h left join (${DESK_PEOPLE}) on d.alias = h.alias
  where (s.id is not null
      or exists (select from conversations c where c.handler_alias = h.alias and c.status = 'open'))
    and (${shown}::text[] is null or h.alias = any (${shown}::text[]))
  group by h.alias
  order by h.alias collate "C"`;

type OpenRow = Dashboard['waiting'] & { open: Record<string, number> };
type DeskRow = {
  alias: string;
  number: number;
  people: string[];
  online: boolean;
  lastSeenAt: number | null;
};

/** The current state of these desks (null: of all): who waits, and the load per desk. Unstaffed desks first, then the busiest. */
export async function readDeskStatus(
  db: Database,
  now: number,
  shown: readonly string[] | null,
): Promise<{
  waiting: Dashboard['waiting'];
  desks: (DeskRow & { open: number })[];
}> {
  const [standing] = await readFigures<OpenRow>(
    db,
    shown === null
      ? { text: OPEN, values: [new Date(now)] }
      : { text: OPEN_AT_DESKS, values: [new Date(now), shown] },
  );
  const desks = await readFigures<DeskRow>(db, desksQuery(shown));
  if (standing === undefined) throw new Error('an aggregate has one row');
  const { open, ...waiting } = standing;
  return {
    waiting,
    desks: desks
      .map((desk) => ({ ...desk, open: open[desk.alias] ?? 0 }))
      .toSorted((a, b) => Number(a.people.length > 0) - Number(b.people.length > 0) || b.open - a.open)
      .slice(0, HANDLERS_SHOWN),
  };
}

/** The median first reply per desk over the last 30 days, from the counted figures. */
export async function readDeskMedians(db: Database, now: number): Promise<Map<number, number>> {
  const slots = await readSlots(db, last30Days(now));
  return medianWaitByDesk(slots.filter(({ slot }) => slot > 0).map(({ waits }) => readWaits(waits)));
}
