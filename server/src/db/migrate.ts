import { runMigrations as migrateJobs } from 'graphile-worker';
import { runner } from 'node-pg-migrate';
import { MIGRATIONS_FOLDER } from './shippedMigrations.ts';

/** Brings the database to this release: our tables forward only, then those of the job queue. */
export async function migrate(databaseUrl: string, log: (line: string) => void = () => {}): Promise<void> {
  const quiet = { info: log, warn: log, error: log, debug: () => {} };
  await runner({
    databaseUrl,
    dir: MIGRATIONS_FOLDER,
    direction: 'up',
    migrationsTable: 'migrations',
    logger: quiet,
    verbose: false,
  });
  await migrateJobs({ connectionString: databaseUrl });
}
