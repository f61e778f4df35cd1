import type { Database } from '../platform/db/database.ts';
import { countMissingMigrations } from '../platform/db/migrations.ts';
import { countWorkers } from '../platform/db/workers.ts';
import { probeWrites } from '../platform/db/writeProbe.ts';
import { withTimeout } from '../platform/limits/concurrency.ts';

/** A database that needs longer for these small queries is not usable. */
const TIMEOUT_MS = 2_000;

/** Why a process should get no traffic. docs/operate.md explains each. */
type Reason = 'starting' | 'stopping' | 'database' | 'migrations' | 'writes' | 'lease' | 'jobs';

/** The local state of a process. A process omits what it does not have. */
export type ProcessState = {
  starting: boolean;
  stopping: boolean;
  holdsLease?: boolean;
  /** Reported, but no reason to be unready: without a bus the sweep still finds everything. */
  busConnected?: boolean;
  jobsRunning?: boolean;
  /** True for a worker. A gateway also works without jobs. */
  needsJobs?: boolean;
  /** Set after an append failed, until a test write succeeds. */
  doubt?: { end(): void };
};

type Readiness = {
  ready: boolean;
  reasons: Reason[];
  bus?: 'connected' | 'away';
  jobs?: 'running' | 'stopped';
  /** Problems that need attention although this process is ready. */
  warnings?: 'no worker'[];
};

/** Checks whether this process should get traffic. Simultaneous requests share one check. */
export function readinessCheck(db: Database, state: () => ProcessState): () => Promise<Readiness> {
  let checking: Promise<DatabaseCheck> | undefined;
  const check = (): Promise<DatabaseCheck> => {
    checking ??= checkDatabase(db, state().doubt).finally(() => {
      checking = undefined;
    });
    return checking;
  };
  return async () => {
    // A stopping process must answer at once, even when the database hangs.
    const found: DatabaseCheck = state().stopping ? { reasons: [] } : await check();
    const now = state();
    const reasons: Reason[] = now.stopping ? ['stopping'] : [...ownReasons(now), ...found.reasons];
    return {
      ready: reasons.length === 0,
      reasons,
      ...(now.busConnected !== undefined && { bus: now.busConnected ? 'connected' : 'away' }),
      ...(now.jobsRunning !== undefined && { jobs: now.jobsRunning ? 'running' : 'stopped' }),
      ...(found.workers === 0 && now.jobsRunning !== true && { warnings: ['no worker'] }),
    };
  };
}

function ownReasons(now: ProcessState): Reason[] {
  if (now.starting) return ['starting'];
  return [
    ...(now.holdsLease === false ? (['lease'] as const) : []),
    ...(now.needsJobs === true && now.jobsRunning === false ? (['jobs'] as const) : []),
  ];
}

type DatabaseCheck = { reasons: Reason[]; workers?: number };

async function checkDatabase(db: Database, doubt: ProcessState['doubt']): Promise<DatabaseCheck> {
  try {
    const missing = await withTimeout(TIMEOUT_MS, countMissingMigrations(db));
    if (missing > 0) return { reasons: ['migrations'] };
    const workers = await withTimeout(TIMEOUT_MS, countWorkers(db));
    return { reasons: doubt === undefined ? [] : await writeReasons(db, doubt), workers };
  } catch (error) {
    // Before the first migration there is no table of migrations.
    return { reasons: [(error as { code?: string }).code === '42P01' ? 'migrations' : 'database'] };
  }
}

/** PostgreSQL with a full disk still answers reads. Only a write shows the problem. */
async function writeReasons(db: Database, doubt: { end(): void }): Promise<Reason[]> {
  const client = await db.pool.connect();
  try {
    await withTimeout(TIMEOUT_MS, probeWrites(client));
    doubt.end();
    client.release();
    return [];
  } catch {
    client.release(true);
    return ['writes'];
  }
}
