import { runMigrations as migrateJobs } from 'graphile-worker';
import { runner } from 'node-pg-migrate';
import pg from 'pg';
import { MIGRATIONS_FOLDER } from './shippedMigrations.ts';

/** Brings the database to this release: our tables forward only, then those of the job queue. */
export async function migrate(databaseUrl: string, log: (line: string) => void = () => {}): Promise<void> {
  await migrateTo(databaseUrl, Number.POSITIVE_INFINITY, log);
  await migrateJobs({ connectionString: databaseUrl });
}

/** Only the first so many, and nothing of the job queue: a database as an earlier release left it. */
export async function migrateTo(
  databaseUrl: string,
  count: number,
  log: (line: string) => void = () => {},
): Promise<void> {
  const quiet = { info: log, warn: log, error: log, debug: () => {} };
  // Connected here: the library would print a refused connection by itself, with its stack.
  const dbClient = new pg.Client(databaseUrl);
  dbClient.on('error', () => {});
  try {
    await dbClient.connect();
    await runner({
      dbClient,
      dir: MIGRATIONS_FOLDER,
      direction: 'up',
      migrationsTable: 'migrations',
      logger: quiet,
      verbose: false,
      count,
    });
  } finally {
    await dbClient.end().catch(() => {});
  }
}
