import type { Database } from '../db/database.ts';
import { countMissingMigrations } from '../db/shippedMigrations.ts';
import { within } from './within.ts';

/** A database that is slower than this to say so little serves nobody. */
const DATABASE_MS = 2_000;

/** Why a process should get no traffic. docs/operate.md explains each. */
type Reason = 'starting' | 'stopping' | 'database' | 'migrations' | 'lease' | 'jobs';

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
};

type Readiness = {
  ready: boolean;
  reasons: Reason[];
  bus?: 'connected' | 'away';
  jobs?: 'running' | 'stopped';
};

/** Whether this process should get traffic, asked anew each time; who asks at the same moment shares the look. */
export function watchReadiness(db: Database, standing: () => Standing): () => Promise<Readiness> {
  let looking: Promise<Reason[]> | undefined;
  const lookAtDatabase = (): Promise<Reason[]> => {
    looking ??= databaseReasons(db).finally(() => {
      looking = undefined;
    });
    return looking;
  };
  return async () => {
    // Whoever stops must say so at once, whatever the database does.
    const found = standing().stopping ? [] : await lookAtDatabase();
    const now = standing();
    const reasons: Reason[] = now.stopping ? ['stopping'] : [...ownReasons(now), ...found];
    return {
      ready: reasons.length === 0,
      reasons,
      ...(now.busConnected !== undefined && { bus: now.busConnected ? 'connected' : 'away' }),
      ...(now.jobsRunning !== undefined && { jobs: now.jobsRunning ? 'running' : 'stopped' }),
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

async function databaseReasons(db: Database): Promise<Reason[]> {
  try {
    const missing = await within(DATABASE_MS, countMissingMigrations(db));
    return missing === 0 ? [] : ['migrations'];
  } catch (error) {
    // Nobody has migrated yet: there is not even the table that says how far.
    return (error as { code?: string }).code === '42P01' ? ['migrations'] : ['database'];
  }
}
