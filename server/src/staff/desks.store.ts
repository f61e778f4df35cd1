import type { Desk } from '@settee/protocol/model/staff';
import { changed, type Db, rows } from '../platform/db/query.ts';

/** Every alias that has staff, present or not. */
export function readDesks(db: Db): Promise<Desk[]> {
  return rows<Desk>(db)`
    select staff.alias, array_agg(staff.name order by staff.name, staff.id) as people,
      exists (
        select from presence where presence.alias = staff.alias and presence.expires_at > now()
      ) as online
    from staff
    where staff.active and staff.alias is not null and staff.role in ('handler', 'admin')
    group by staff.alias
    order by staff.alias collate "C"`;
}

/** The names of all desks that have one, by alias. */
export async function readDeskNames(db: Db): Promise<Record<string, string>> {
  const named = await rows<{ alias: string; name: string }>(db)`
    select alias, name from handlers where name is not null`;
  return Object.fromEntries(named.map(({ alias, name }) => [alias, name]));
}

/** False if the desk has this name already. */
export function nameDesk(db: Db, alias: string, name: string): Promise<boolean> {
  return changed(
    db,
  )`update handlers set name = ${name} where alias = ${alias} and name is distinct from ${name}`;
}
