import type { Database } from './database.ts';
import { changed, type Db, one, raw, run } from './query.ts';
import { SEEN_ALIVE } from './workers.ts';

/** An arbitrary constant for the advisory lock. */
const PLACE_LOCK = 7_365_001;

/** Takes or renews a gateway's lease. Returns false while another gateway excludes this one. */
export function acquireGatewayLease(
  db: Database,
  { gatewayId, alone, seconds }: { gatewayId: string; alone: boolean; seconds: number },
): Promise<boolean> {
  return db.transaction(async (step) => {
    await run(step)`select pg_advisory_xact_lock(${PLACE_LOCK}::bigint)`;
    await run(step)`delete from gateways where expires_at < now()`;
    return changed(step)`
      insert into gateways (id, alone, expires_at, knows_profiles)
      select ${gatewayId}::uuid, ${alone}::boolean, now() + make_interval(secs => ${seconds}::float8), true
      where not exists (select from gateways where id <> ${gatewayId}::uuid and (alone or ${alone}::boolean))
      on conflict (id) do update set expires_at = excluded.expires_at`;
  });
}

export function releaseGatewayLease(db: Database, gatewayId: string): Promise<void> {
  return run(db)`delete from gateways where id = ${gatewayId}`;
}

/** How many gateways and workers of release 0.2.0 run. Until the commit, no gateway can start. */
export async function countOlderPrograms(db: Db): Promise<number> {
  await run(db)`select pg_advisory_xact_lock(${PLACE_LOCK}::bigint)`;
  const { older } = await one<{ older: number }>(db)`
    select count(*)::integer as older from (
      select from gateways where not knows_profiles and expires_at > now()
      union all
      select from workers where not knows_profiles and ${raw(SEEN_ALIVE)}
    ) programs`;
  return older;
}

/** Connections of gateways, workers and commands, except the own one. A lease may come from the restored rows. */
export async function countOtherConnections(db: Db): Promise<number> {
  const { others } = await one<{ others: number }>(db)`
    select count(*)::integer as others from pg_stat_activity
    where datname = current_database() and application_name in ('settee', 'settee-append')
      and pid <> pg_backend_pid()`;
  return others;
}
