import type { Database } from './database.ts';

/** A worker without a heartbeat for this long is gone. */
const ALIVE_SECONDS = 90;
export const WORKERS_ALIVE = `(select count(*)::integer from workers
  where seen_at > now() - interval '${ALIVE_SECONDS} seconds')`;

/** Records that this process runs jobs, and removes workers that are long gone. */
export async function recordWorkerHeartbeat(db: Database, id: string): Promise<void> {
  await db.pool.query(
    `with gone as (delete from workers where seen_at < now() - interval '1 day')
     insert into workers (id) values ($1) on conflict (id) do update set seen_at = now()`,
    [id],
  );
}

export async function removeWorker(db: Database, id: string): Promise<void> {
  await db.pool.query('delete from workers where id = $1', [id]);
}

export async function countWorkers(db: Database): Promise<number> {
  const { rows } = await db.pool.query<{ workers: number }>(`select ${WORKERS_ALIVE} as workers`);
  return rows[0]?.workers ?? 0;
}
