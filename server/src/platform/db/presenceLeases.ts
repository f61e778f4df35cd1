import { type Link, profileOfLink } from './profileOf.ts';
import { column, type Db, exists, run, sql } from './query.ts';

/** Locked in a fixed order, to avoid deadlocks between gateways. */
const lockedDesks = (aliases: string[]) => sql`locked as materialized (
  select alias from handlers where alias = any (${aliases}) order by alias for no key update
)`;

/** Renews the presence lease of these desks through this gateway. */
export function renewPresence(db: Db, gatewayId: string, aliases: string[], seconds: number): Promise<void> {
  return run(db)`
    with ${lockedDesks(aliases)},
    seen as (update handlers h set last_seen_at = now() from locked where h.alias = locked.alias)
    insert into presence (alias, gateway_id, expires_at)
    select alias, ${gatewayId}, now() + make_interval(secs => ${seconds}) from unnest(${aliases}::text[]) as alias
    on conflict (alias, gateway_id) do update set expires_at = excluded.expires_at`;
}

export function endPresence(db: Db, gatewayId: string, aliases: string[]): Promise<void> {
  return run(db)`
    with ${lockedDesks(aliases)}, seen as (
      update handlers h set last_seen_at = now() from locked, presence p
      where h.alias = locked.alias and p.alias = h.alias and p.gateway_id = ${gatewayId} and p.expires_at > now()
    )
    delete from presence where gateway_id = ${gatewayId} and alias = any (${aliases})`;
}

/** At any desk of the profile that the link shows. */
export function isAnyoneOnline(db: Db, link: Link = {}): Promise<boolean> {
  return exists(db, 'anyone-online')`
    select from presence p join handlers h on h.alias = p.alias
    where p.expires_at > now() and h.profile = ${profileOfLink(link)} limit 1`;
}

/** The desks where someone is online. */
export function listOnlineDesks(db: Db): Promise<string[]> {
  return column<string>(db, 'online-desks')`
    select distinct alias from presence where expires_at > now() order by alias`;
}

export function isOnline(db: Db, alias: string): Promise<boolean> {
  return exists(db)`select from presence where alias = ${alias} and expires_at > now() limit 1`;
}

/** Locked in a fixed order, to avoid deadlocks between gateways. */
const seenStaff = (staffIds: string[]) => sql`with ordered as (
    select id from staff where id = any (${staffIds}::uuid[]) order by id for no key update
  ), seen as (
    update staff set last_seen_at = now() from ordered where staff.id = ordered.id
  )`;

/** Renews the lease of staff with an open page at this gateway. */
export function renewStaffPresence(
  db: Db,
  gatewayId: string,
  staffIds: string[],
  seconds: number,
): Promise<void> {
  return run(db)`
    ${seenStaff(staffIds)}
    insert into staff_presence (staff_id, gateway_id, expires_at)
    select staff_id, ${gatewayId}, now() + make_interval(secs => ${seconds})
    from unnest(${staffIds}::uuid[]) as staff_id
    on conflict (staff_id, gateway_id) do update set expires_at = excluded.expires_at`;
}

export function endStaffPresence(db: Db, gatewayId: string, staffIds: string[]): Promise<void> {
  return run(db)`
    ${seenStaff(staffIds)}
    delete from staff_presence where gateway_id = ${gatewayId} and staff_id = any (${staffIds}::uuid[])`;
}
