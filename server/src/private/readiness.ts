import type { Database } from '../db/engine/database.ts';
import { countMissingMigrations } from '../db/engine/migrations.ts';
import { countWorkers } from '../db/engine/workers.ts';
import { probeWrites } from '../db/engine/writeProbe.ts';
import { within } from './within.ts';

/** A database that is slower than this to say so little serves nobody. */
const DATABASE_MS = 2_000;

/** Why a process should get no traffic. docs/operate.md explains each. */
type Reason = 'starting' | 'stopping' | 'database' | 'migrations' | 'writes' | 'lease' | 'jobs';

/** What a process knows about itself without asking anybody. What it does not have, it leaves out. */
export type Standing = {
  starting: boolean;
  stopping: boolean;
  holdsLease?: boolean;
  /** Hints only: without a bus everything still arrives, later. So it is told, and no reason. */
  busConnected?: boolean;
  jobsRunning?: boolean;
  /** A worker has nothing but jobs; a gateway serves without them. */
  needsJobs?: boolean;
  /** There while a message could not be stored: it is tried whether PostgreSQL can write at all. */
  doubt?: { end(): void };
};

type Readiness = {
  ready: boolean;
  reasons: Reason[];
  bus?: 'connected' | 'away';
  jobs?: 'running' | 'stopped';
  /** What needs somebody's attention although this process should get traffic. */
  warnings?: 'no worker'[];
};

/** Whether this process should get traffic, asked anew each time; who asks at the same moment shares the look. */
export function watchReadiness(db: Database, standing: () => Standing): () => Promise<Readiness> {
  let looking: Promise<Look> | undefined;
  const lookAtDatabase = (): Promise<Look> => {
    looking ??= lookAt(db, standing().doubt).finally(() => {
      looking = undefined;
    });
    return looking;
  };
  return async () => {
    // Whoever stops must say so at once, whatever the database does.
    const found = standing().stopping ? NOT_LOOKED : await lookAtDatabase();
    const now = standing();
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

function ownReasons(now: Standing): Reason[] {
  if (now.starting) return ['starting'];
  return [
    ...(now.holdsLease === false ? (['lease'] as const) : []),
    ...(now.needsJobs === true && now.jobsRunning === false ? (['jobs'] as const) : []),
  ];
}

type Look = { reasons: Reason[]; workers?: number };
const NOT_LOOKED: Look = { reasons: [] };

async function lookAt(db: Database, doubt: Standing['doubt']): Promise<Look> {
  try {
    const missing = await within(DATABASE_MS, countMissingMigrations(db));
    if (missing > 0) return { reasons: ['migrations'] };
    const workers = await within(DATABASE_MS, countWorkers(db));
    return { reasons: doubt === undefined ? [] : await writeReasons(db, doubt), workers };
  } catch (error) {
    // Nobody has migrated yet: there is not even the table that says how far.
    return { reasons: [(error as { code?: string }).code === '42P01' ? 'migrations' : 'database'] };
  }
}

/** A full disk still answers every question. Only writing shows it. */
async function writeReasons(db: Database, doubt: { end(): void }): Promise<Reason[]> {
  const client = await db.pool.connect();
  try {
    await within(DATABASE_MS, probeWrites(client));
    doubt.end();
    client.release();
    return [];
  } catch {
    client.release(true);
    return ['writes'];
  }
}
