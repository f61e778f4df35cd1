import pg from 'pg';
import { migrate } from '../../server/testing/installation.ts';
import { engineControl, startEngines, stopEngines } from '../../tools/engines/engines.ts';
import { createFreshDatabase } from '../../tools/freshDatabase.ts';

const INSTANCE = 'bench';

/** The engines of one run. */
export type Engines = {
  natsUrl: string;
  /** Undefined if the environment provides the engine. */
  pids: { postgres: number | undefined; nats: number | undefined };
  postgresVersion: string;
  /** Works with a fresh, migrated database, and drops it afterwards. */
  withDatabase<T>(work: (database: BenchDatabase) => Promise<T>): Promise<T>;
  stop(): Promise<void>;
};

export type BenchDatabase = {
  url: string;
  ownerUrl: string;
  run<T = unknown>(statement: string, values?: unknown[]): Promise<T[]>;
  drop(): Promise<void>;
};

export async function openStage(): Promise<Engines> {
  const urls = await startEngines({ instance: INSTANCE, require: true, only: ['postgres', 'nats'] });
  const pids = { postgres: pidOf('postgres'), nats: pidOf('nats') };
  // A killed run leaves gigabytes behind.
  if (pids.postgres !== undefined) await dropRemains(urls.DATABASE_URL);
  const [row] = await once<{ server_version: string }>(urls.DATABASE_URL, 'show server_version');
  return {
    natsUrl: urls.NATS_URL ?? '',
    pids,
    postgresVersion: row?.server_version ?? '?',
    async withDatabase(work) {
      const database = await create(urls.DATABASE_URL);
      try {
        await migrate({ databaseUrl: database.url, databaseOwnerUrl: database.ownerUrl });
        return await work(database);
      } finally {
        await database.drop();
      }
    },
    stop: () => stopEngines({ instance: INSTANCE }),
  };
}

async function create(adminUrl: string): Promise<BenchDatabase> {
  const fresh = await createFreshDatabase(adminUrl, { prefix: 'bench' });
  const name = new URL(fresh.url).pathname.slice(1);
  // Counts the calls of the append function, to compute the batch size. Needs a superuser.
  await once(adminUrl, `alter database ${name} set track_functions = 'pl'`).catch(() => {});
  const pool = new pg.Pool({ connectionString: fresh.ownerUrl, max: 4 });
  pool.on('error', () => {});
  return {
    url: fresh.url,
    ownerUrl: fresh.ownerUrl,
    run: async <T>(statement: string, values?: unknown[]) =>
      (await pool.query(statement, values)).rows as T[],
    async drop() {
      await pool.end();
      await fresh.drop();
    },
  };
}

async function dropRemains(adminUrl: string): Promise<void> {
  const left = await once<{ datname: string }>(
    adminUrl,
    `select datname from pg_database where datname ~ '^bench_[0-9a-f]{12}$'`,
  );
  for (const { datname } of left) await once(adminUrl, `drop database ${datname} with (force)`);
}

async function once<T>(url: string, statement: string): Promise<T[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query(statement)).rows as T[];
  } finally {
    await client.end();
  }
}

function pidOf(name: 'postgres' | 'nats'): number | undefined {
  try {
    return engineControl(name, { instance: INSTANCE }).pid();
  } catch {
    return undefined;
  }
}
