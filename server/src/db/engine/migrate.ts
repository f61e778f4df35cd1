import { runMigrations as migrateJobs } from 'graphile-worker';
import { runner } from 'node-pg-migrate';
import type pg from 'pg';
import { MIGRATIONS_FOLDER, readMissingFunctions } from './migrations.ts';
import { grantToApplication, ownerUrl, type RoleUrls } from './roles.ts';
import { withClient } from './withClient.ts';

/** Serializes the replacement of functions. */
const FUNCTIONS_LOCK = 7365016;

/** Migrates tables, then functions, then the job queue, and grants them to the application role. */
export async function migrate(urls: RoleUrls, log: (line: string) => void = () => {}): Promise<void> {
  const databaseUrl = ownerUrl(urls);
  await migrateTo(databaseUrl, Number.POSITIVE_INFINITY, log);
  await withClient({ connectionString: databaseUrl }, (client) => applyFunctions(client, log));
  await migrateJobs({ connectionString: databaseUrl });
  await grantToApplication(urls, log);
}

/** Runs only the first `count` migrations, for the tables of an older backup. */
export async function migrateTo(
  databaseUrl: string,
  count: number,
  log: (line: string) => void = () => {},
): Promise<void> {
  const quiet = { info: log, warn: log, error: log, debug: () => {} };
  // Connect here: the library would print a refused connection with a stack trace.
  await withClient({ connectionString: databaseUrl }, (dbClient) =>
    runner({
      dbClient,
      dir: MIGRATIONS_FOLDER,
      direction: 'up',
      migrationsTable: 'migrations',
      logger: quiet,
      verbose: false,
      count,
    }),
  );
}

/** Applies files whose content was never applied. An older release does not undo a newer function. */
async function applyFunctions(client: pg.Client, log: (line: string) => void): Promise<void> {
  await client.query('begin');
  await client.query('select pg_advisory_xact_lock($1)', [FUNCTIONS_LOCK]);
  for (const { name, sql, hash } of await readMissingFunctions(client)) {
    log(`function ${name}`);
    await client.query(sql);
    await client.query('insert into applied_functions (hash, name) values ($1, $2)', [hash, name]);
  }
  await client.query('commit');
}
