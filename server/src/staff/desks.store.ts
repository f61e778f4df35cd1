import type { Desk } from '@settee/protocol/model/staff';
import { DESK_PEOPLE } from '../platform/db/deskPeople.ts';
import { MAIN } from '../platform/db/profileOf.ts';
import { changed, type Db, rows } from '../platform/db/query.ts';

/** Every alias that has staff, present or not. */
export function readDesks(db: Db): Promise<Desk[]> {
  return rows<Desk>(db)`
    select d.alias, array_agg(s.name order by s.name, s.id) as people,
      exists (
        select from presence where presence.alias = d.alias and presence.expires_at > now()
      ) as online
    from ${DESK_PEOPLE}
    group by d.alias
    order by d.alias collate "C"`;
}

/** The names of all desks that have one, by alias. */
export async function readDeskNames(db: Db): Promise<Record<string, string>> {
  const named = await rows<{ alias: string; name: string }>(db)`
    select alias, name from handlers where name is not null`;
  return Object.fromEntries(named.map(({ alias, name }) => [alias, name]));
}

/** The profiles of the desks that do not have the first one, by alias; undefined if all have it. */
export async function readOtherProfiles(db: Db): Promise<{ profiles?: Record<string, string> }> {
  const others = await rows<{ alias: string; profile: string }>(db)`
    select alias, profile from handlers where profile <> ${MAIN}`;
  if (others.length === 0) return {};
  return { profiles: Object.fromEntries(others.map(({ alias, profile }) => [alias, profile])) };
}

/** False if the desk has this name already. */
export function nameDesk(db: Db, alias: string, name: string): Promise<boolean> {
  return changed(
    db,
  )`update handlers set name = ${name} where alias = ${alias} and name is distinct from ${name}`;
}
