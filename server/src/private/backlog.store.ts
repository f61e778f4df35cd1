import type { Database } from '../platform/db/database.ts';
import { seconds } from '../platform/db/query.ts';
import { queryWithTimeout } from '../platform/db/statementTimeout.ts';

/** What waits for staff or for a worker, in the whole installation. */
export type Backlog = {
  conversations: number;
  longestWaitSeconds: number;
  jobs: { task: string; waiting: number; lagSeconds: number }[];
  webhookLagSeconds: number;
  /** Seconds since 1970; 0 without a backup. */
  backupAt: number;
};

const PLANNING = { ms: 1_500, settings: 'set local jit = off' };

/** Open conversations are few and indexed. */
const WAITING = `
  select count(waiting_since)::float8 as conversations,
    coalesce(greatest(${seconds('now() - min(waiting_since)').text}, 0), 0)::float8 as "longestWaitSeconds"
  from conversations where status = 'open'`;

/** Counting stops here: more would only add load. */
const JOBS_COUNTED = 100_000;

/** Due and available, by the index that workers use. */
const JOBS = `
  select t.identifier as task, count(*)::float8 as waiting,
    ${seconds('now() - min(j.run_at)').text} as "lagSeconds"
  from (
    select task_id, run_at from graphile_worker._private_jobs
    where is_available = true and run_at <= now() limit ${JOBS_COUNTED}
  ) j join graphile_worker._private_tasks t on t.id = j.task_id
  group by 1`;

/**
 * How long the oldest due event has waited for its next attempt. Only of active endpoints: those of others wait on
 * purpose. By the index that workers use.
 */
const WEBHOOKS = `
  select coalesce(${seconds('now() - min(d.due_at)').text}, 0) as "webhookLagSeconds"
  from webhook_endpoints w cross join lateral (
    select due_at from webhook_deliveries where endpoint_id = w.id and not done order by due_at limit 1
  ) d
  where w.state = 'active' and d.due_at <= now()`;

const BACKUP = `select coalesce(${seconds('backup_at').text}, 0) as "backupAt" from installation`;

export async function readBacklog(db: Database): Promise<Backlog> {
  const [waiting] = await read<Pick<Backlog, 'conversations' | 'longestWaitSeconds'>>(db, WAITING);
  const jobs = await read<Backlog['jobs'][number]>(db, JOBS);
  const [webhooks] = await read<Pick<Backlog, 'webhookLagSeconds'>>(db, WEBHOOKS);
  const [backup] = await read<Pick<Backlog, 'backupAt'>>(db, BACKUP);
  if (waiting === undefined || webhooks === undefined || backup === undefined)
    throw new Error('an aggregate has one row');
  return { ...waiting, jobs, ...webhooks, ...backup };
}

async function read<Row>(db: Database, text: string): Promise<Row[]> {
  const rows = await queryWithTimeout<Row>(db, PLANNING, { text });
  if (rows === undefined) throw new Error('the backlog took too long');
  return rows;
}
