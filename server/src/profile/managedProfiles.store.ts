import { MAIN, type ManagedProfile } from '@settee/protocol/model/profile';
import { DESK_PEOPLE } from '../platform/db/deskPeople.ts';
import { type Db, millis, rows, sql } from '../platform/db/query.ts';
import { STAFF_COLUMNS, staffProfileFrom } from './brand.store.ts';

type Desk = ManagedProfile['desks'][number];
type Row = Omit<ManagedProfile, 'open' | 'waitingSince' | 'online'> & { updatedAt: number };

/** Present for visitors of the desk: see Connection.staffedDesks. */
const ON_DUTY = sql`s.id is not null and not d.off and not s.away
  and exists (select from staff_presence p where p.staff_id = s.id and p.expires_at > now())`;

/** Every desk, with what waits there. Open conversations are few, and each desk reads its own by index. */
const DESKS = sql`
  select h.profile, h.alias, h.name, load.*,
    exists (select from presence p where p.alias = h.alias and p.expires_at > now()) as online,
    coalesce(array_agg(s.name order by s.name, s.id) filter (where s.id is not null), '{}') as people,
    coalesce(array_agg(s.name order by s.name, s.id) filter (where ${ON_DUTY}), '{}') as "onDuty"
  from handlers h left join (${DESK_PEOPLE}) on d.alias = h.alias
  cross join lateral (
    select count(*)::integer as open, ${millis('min(c.waiting_since)')} as "waitingSince"
    from conversations c where c.handler_alias = h.alias and c.status = 'open'
  ) load
  group by h.alias, load.open, load."waitingSince"`;

/** The first profile, then the others by name, archived ones last. */
export async function readManagedProfiles(db: Db): Promise<ManagedProfile[]> {
  const found = await rows<Row>(db)`
    select ${STAFF_COLUMNS}, ${millis('b.archived_at')} as "archivedAt",
      coalesce(json_agg(d order by d.alias collate "C") filter (where d.alias is not null), '[]') as desks
    from profiles b left join (${DESKS}) d on d.profile = b.slug
    group by b.slug
    order by b.slug <> ${MAIN}, b.archived_at is not null, lower(b.display_name) collate "und-x-icu", b.slug`;
  return found.map((row) => {
    const desks = row.desks.map(({ alias, name, people, onDuty, online, open, waitingSince }) => ({
      ...{ alias, name, people, onDuty, online, open, waitingSince },
    }));
    return { ...staffProfileFrom(row), desks, ...loadOf(desks) };
  });
}

function loadOf(desks: readonly Desk[]): Pick<ManagedProfile, 'online' | 'open' | 'waitingSince'> {
  const waits = desks.flatMap(({ waitingSince }) => waitingSince ?? []);
  return {
    online: desks.some(({ online }) => online),
    open: desks.reduce((sum, { open }) => sum + open, 0),
    waitingSince: waits.length === 0 ? null : Math.min(...waits),
  };
}
