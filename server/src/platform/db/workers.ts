import { type Db, one, raw, run } from './query.ts';

/** A worker without a heartbeat for this long is gone. */
const ALIVE_SECONDS = 90;
export const WORKERS_ALIVE = `(select count(*)::integer from workers
  where seen_at > now() - interval '${ALIVE_SECONDS} seconds')`;

/** Records that this process runs jobs, and removes workers that are long gone. */
export function recordWorkerHeartbeat(db: Db, id: string): Promise<void> {
  return run(db)`
    with gone as (delete from workers where seen_at < now() - interval '1 day')
    insert into workers (id) values (${id}) on conflict (id) do update set seen_at = now()`;
}

export function removeWorker(db: Db, id: string): Promise<void> {
  return run(db)`delete from workers where id = ${id}`;
}

export async function countWorkers(db: Db): Promise<number> {
  return (await one<{ workers: number }>(db)`select ${raw(WORKERS_ALIVE)} as workers`).workers;
}
