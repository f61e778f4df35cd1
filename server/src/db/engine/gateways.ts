import { sql } from 'kysely';
import type { Database } from './database.ts';

/** An arbitrary constant for the advisory lock. */
const PLACE_LOCK = 7_365_001;

/** Takes or renews a gateway's lease. Returns false while another gateway excludes this one. */
export async function acquireGatewayLease(
  db: Database,
  { gatewayId, alone, seconds }: { gatewayId: string; alone: boolean; seconds: number },
): Promise<boolean> {
  return db.sql.transaction().execute(async (step) => {
    await sql`select pg_advisory_xact_lock(${PLACE_LOCK}::bigint)`.execute(step);
    await step.deleteFrom('gateways').where('expires_at', '<', sql<Date>`now()`).execute();
    const { rows } = await sql`
      insert into gateways (id, alone, expires_at)
      select ${gatewayId}::uuid, ${alone}::boolean, now() + make_interval(secs => ${seconds}::float8)
      where not exists (select from gateways where id <> ${gatewayId}::uuid and (alone or ${alone}::boolean))
      on conflict (id) do update set expires_at = excluded.expires_at
      returning id`.execute(step);
    return rows.length > 0;
  });
}

export async function releaseGatewayLease(db: Database, gatewayId: string): Promise<void> {
  await db.sql.deleteFrom('gateways').where('id', '=', gatewayId).execute();
}
