import type { DeskWithHours } from '@settee/protocol/calls/deskCalls';
import type { DeskHours } from '@settee/protocol/model/hours';
import { DESK_PEOPLE } from '../platform/db/deskPeople.ts';
import { type Db, exists, rows, run } from '../platform/db/query.ts';

/** Every desk that has staff or hours. */
export function readDeskHours(db: Db): Promise<DeskWithHours[]> {
  return rows<DeskWithHours>(db)`
    select h.alias,
      coalesce(array_agg(s.name order by s.name, s.id) filter (where s.id is not null), '{}') as people,
      (select jsonb_build_object('timeZone', o.time_zone, 'week', o.week)
       from desk_hours o where o.alias = h.alias) as hours
    from handlers h left join (${DESK_PEOPLE}) on d.alias = h.alias
    where s.id is not null or exists (select from desk_hours o where o.alias = h.alias)
    group by h.alias
    order by h.alias collate "C"`;
}

/** False if the desk does not exist. */
export async function writeDeskHours(db: Db, alias: string, hours: DeskHours | null): Promise<boolean> {
  if (!(await exists(db)`select from handlers where alias = ${alias}`)) return false;
  if (hours === null) {
    await run(db)`delete from desk_hours where alias = ${alias}`;
  } else {
    await run(db)`
      insert into desk_hours (alias, time_zone, week)
      values (${alias}, ${hours.timeZone}, ${JSON.stringify(hours.week)})
      on conflict (alias) do update
      set time_zone = excluded.time_zone, week = excluded.week, updated_at = now()`;
  }
  await run(db)`
    update profiles set hours_rev = hours_rev + 1 where slug = (select profile from handlers where alias = ${alias})`;
  return true;
}
