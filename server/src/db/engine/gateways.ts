import type { Database } from './database.ts';

/** An arbitrary constant for the advisory lock. */
const PLACE_LOCK = 7_365_001;

/** Takes or renews a gateway's lease. Returns false while another gateway excludes this one. */
export async function acquireGatewayLease(
  db: Database,
  place: { gatewayId: string; alone: boolean; seconds: number },
): Promise<boolean> {
  const client = await db.pool.connect();
  try {
    await client.query('begin');
    await client.query('select pg_advisory_xact_lock($1)', [PLACE_LOCK]);
    await client.query('delete from gateways where expires_at < now()');
    const { rows } = await client.query<{ taken: boolean }>(
      'select exists (select from gateways where id <> $1 and (alone or $2)) as taken',
      [place.gatewayId, place.alone],
    );
    const free = rows[0]?.taken === false;
    if (free) {
      await client.query(
        `insert into gateways (id, alone, expires_at) values ($1, $2, now() + make_interval(secs => $3))
         on conflict (id) do update set expires_at = excluded.expires_at`,
        [place.gatewayId, place.alone, place.seconds],
      );
    }
    await client.query('commit');
    return free;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

export async function releaseGatewayLease(db: Database, gatewayId: string): Promise<void> {
  await db.pool.query('delete from gateways where id = $1', [gatewayId]);
}
