import { type Db, one, raw, run } from './query.ts';

/** Several heartbeats. A job of a process that died starts again within a minute. */
export const LOST_SECONDS = 40;
/** Release 0.2.0 has a heartbeat every 30 s. */
const LOST_SECONDS_0_2_0 = 90;
/** Nobody has a lock of this age without having written the name. */
const UNNAMED_SECONDS = 120;

export const SEEN_ALIVE = `seen_at > now() - make_interval(
  secs => case when knows_profiles then ${LOST_SECONDS} else ${LOST_SECONDS_0_2_0} end)`;
export const WORKERS_ALIVE = `(select count(*)::integer from workers where ${SEEN_ALIVE})`;

/** Records that this process runs jobs, and the names under which it locks them. */
export function recordWorkerHeartbeat(db: Db, id: string, pools: readonly string[] = []): Promise<void> {
  return run(db)`
    insert into workers (id, pools, knows_profiles) values (${id}, ${pools}, true)
    on conflict (id) do update set pools = excluded.pools, seen_at = now()`;
}

/**
 * graphile-worker leaves the jobs of a process that was killed locked for four hours. This unlocks them, so that others
 * run them again. Also those under a name that no living process has: one that was killed before it wrote the name, or one
 * of release 0.2.0, which never does. Returns the number of jobs.
 */
export async function unlockLostJobs(db: Db): Promise<number> {
  const { jobs } = await one<{ jobs: number }>(db)`
    with lost as (delete from workers where not ${raw(SEEN_ALIVE)} returning pools),
    names as materialized (
      select unnest(pools) as name from lost
      union
      select j.locked_by from graphile_worker.jobs j
      where j.locked_at < now() - make_interval(secs => ${UNNAMED_SECONDS}) and not exists (
        select from workers w
        where ${raw(SEEN_ALIVE)} and (j.locked_by = any (w.pools) or not w.knows_profiles)
      )
    )
    select (select count(*)::integer from graphile_worker.jobs where locked_by in (select name from names)) as jobs,
      case when exists (select from names)
        then graphile_worker.force_unlock_workers(array(select name from names)) end as unlocked`;
  return jobs;
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
