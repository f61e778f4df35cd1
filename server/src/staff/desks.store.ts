import { MAIN } from '@settee/protocol/model/profile';
import type { Desk } from '@settee/protocol/model/staff';
import type { Reach } from '../access/access.store.ts';
import { DESK_PEOPLE } from '../platform/db/deskPeople.ts';
import { changed, type Db, one, rows, type Sql, sql } from '../platform/db/query.ts';

/** The desks `h` of the profiles that have a desk within reach; all without a limit. */
function besides(reach: Reach): Sql {
  return reach === null
    ? sql`true`
    : sql`h.profile in (select own.profile from handlers own where own.alias = any (${reach}::text[]))`;
}

/** Every alias that has staff, present or not. */
export function readDesks(db: Db, reach: Reach): Promise<Desk[]> {
  return rows<Desk>(db)`
    select d.alias, array_agg(s.name order by s.name, s.id) as people,
      exists (
        select from presence where presence.alias = d.alias and presence.expires_at > now()
      ) as online
    from ${DESK_PEOPLE} join handlers h on h.alias = d.alias
    where ${besides(reach)}
    group by d.alias
    order by d.alias collate "C"`;
}

/** The names of all desks that have one, by alias. */
export async function readDeskNames(db: Db, reach: Reach): Promise<Record<string, string>> {
  const named = await rows<{ alias: string; name: string }>(db)`
    select h.alias, h.name from handlers h where h.name is not null and ${besides(reach)}`;
  return Object.fromEntries(named.map(({ alias, name }) => [alias, name]));
}

/** The profiles of the desks that do not have the first one, by alias; undefined if all have it. */
export async function readOtherProfiles(
  db: Db,
  reach: Reach,
): Promise<{ profiles?: Record<string, string> }> {
  const others = await rows<{ alias: string; profile: string }>(db)`
    select h.alias, h.profile from handlers h where h.profile <> ${MAIN} and ${besides(reach)}`;
  if (others.length === 0) return {};
  return { profiles: Object.fromEntries(others.map(({ alias, profile }) => [alias, profile])) };
}

/** The profile of a desk, if it exists; and whether a desk could be added to a profile, if that exists. */
export function readPlace(
  db: Db,
  alias: string,
  slug: string,
): Promise<{ current: string | null; archived: boolean | null }> {
  return one<{ current: string | null; archived: boolean | null }>(db)`
    select (select profile from handlers where alias = ${alias}) as current,
      (select archived_at is not null from profiles where slug = ${slug}) as archived`;
}

/** False if the desk has this name already. */
export function nameDesk(db: Db, alias: string, name: string): Promise<boolean> {
  return changed(
    db,
  )`update handlers set name = ${name} where alias = ${alias} and name is distinct from ${name}`;
}
