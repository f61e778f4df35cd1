import type { Database } from '../engine/database.ts';

/** Locked in a fixed order, to avoid deadlocks between gateways. */
const LOCKED = `locked as materialized (
  select alias from handlers where alias = any($2) order by alias for no key update
)`;

/** Renews the presence lease of these desks through this gateway. */
export async function renewPresence(
  db: Database,
  gatewayId: string,
  aliases: string[],
  seconds: number,
): Promise<void> {
  await db.pool.query(
    `with ${LOCKED}, seen as (update handlers h set last_seen_at = now() from locked where h.alias = locked.alias)
     insert into presence (alias, gateway_id, expires_at)
     select alias, $1, now() + make_interval(secs => $3) from unnest($2::text[]) as alias
     on conflict (alias, gateway_id) do update set expires_at = excluded.expires_at`,
    [gatewayId, aliases, seconds],
  );
}

export async function endPresence(db: Database, gatewayId: string, aliases: string[]): Promise<void> {
  await db.pool.query(
    `with ${LOCKED}, seen as (
       update handlers h set last_seen_at = now() from locked, presence p
       where h.alias = locked.alias and p.alias = h.alias and p.gateway_id = $1 and p.expires_at > now()
     )
     delete from presence where gateway_id = $1 and alias = any($2)`,
    [gatewayId, aliases],
  );
}

export async function isAnyoneOnline(db: Database): Promise<boolean> {
  const { rows } = await db.pool.query<{ online: boolean }>({
    name: 'anyone-online',
    text: 'select exists (select from presence where expires_at > now()) as online',
  });
  return rows[0]?.online ?? false;
}

export async function isOnline(db: Database, alias: string): Promise<boolean> {
  const { rows } = await db.pool.query<{ online: boolean }>(
    'select exists (select from presence where alias = $1 and expires_at > now()) as online',
    [alias],
  );
  return rows[0]?.online ?? false;
}

/** Locked in a fixed order, to avoid deadlocks between gateways. */
const SEEN = `with ordered as (
    select id from staff where id = any($2::uuid[]) order by id for no key update
  ), seen as (
    update staff set last_seen_at = now() from ordered where staff.id = ordered.id
  )`;

/** Renews the lease of staff with an open page at this gateway. */
export async function renewStaffPresence(
  db: Database,
  gatewayId: string,
  staffIds: string[],
  seconds: number,
): Promise<void> {
  await db.pool.query(
    `${SEEN}
     insert into staff_presence (staff_id, gateway_id, expires_at)
     select staff_id, $1, now() + make_interval(secs => $3) from unnest($2::uuid[]) as staff_id
     on conflict (staff_id, gateway_id) do update set expires_at = excluded.expires_at`,
    [gatewayId, staffIds, seconds],
  );
}

export async function endStaffPresence(db: Database, gatewayId: string, staffIds: string[]): Promise<void> {
  await db.pool.query(
    `${SEEN}
     delete from staff_presence where gateway_id = $1 and staff_id = any($2::uuid[])`,
    [gatewayId, staffIds],
  );
}
