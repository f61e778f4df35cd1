import { type Db, one, raw, run, value } from './query.ts';

/** Several heartbeats. A job of a process that died starts again within a minute. */
const LOST_SECONDS = 40;
export const SEEN_ALIVE = `seen_at > now() - interval '${LOST_SECONDS} seconds'`;
export const WORKERS_ALIVE = `(select count(*)::integer from workers where ${SEEN_ALIVE})`;

/** Records that this process runs jobs, and the names under which it locks them. */
export function recordWorkerHeartbeat(db: Db, id: string, pools: readonly string[] = []): Promise<void> {
  return run(db)`
    insert into workers (id, pools, knows_profiles) values (${id}, ${pools}, true)
    on conflict (id) do update set pools = excluded.pools, seen_at = now()`;
}

/**
 * graphile-worker leaves the jobs of a process that was killed locked for four hours. This unlocks them, so that others
 * run them again. Returns the number of processes.
 */
export async function unlockLostJobs(db: Db): Promise<number> {
  const lost = await value<number>(db)`
    with lost as (delete from workers where not ${raw(SEEN_ALIVE)} returning pools)
    select (select count(*)::integer from lost),
      case when exists (select from lost)
        then graphile_worker.force_unlock_workers(array(select unnest(pools) from lost)) end`;
  return lost ?? 0;
}

export function unlockJobs(db: Db, pools: readonly string[]): Promise<void> {
  return run(db)`select graphile_worker.force_unlock_workers(${pools})`;
}

export function removeWorker(db: Db, id: string): Promise<void> {
  return run(db)`delete from workers where id = ${id}`;
}

export async function countWorkers(db: Db): Promise<number> {
  return (await one<{ workers: number }>(db)`select ${raw(WORKERS_ALIVE)} as workers`).workers;
}
