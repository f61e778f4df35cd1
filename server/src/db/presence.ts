import type { Database } from './database.ts';

/** In one order for all gateways, so that none waits for one that waits for it. */
const LOCKED = `locked as materialized (
  select alias from handlers where alias = any($2) order by alias for no key update
)`;

/** Someone is at these desks, through this gateway, for as many seconds more. */
export async function holdPresence(
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
