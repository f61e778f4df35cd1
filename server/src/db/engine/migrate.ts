import { runMigrations as migrateJobs } from 'graphile-worker';
import { runner } from 'node-pg-migrate';
import type pg from 'pg';
import { MIGRATIONS_FOLDER, readMissingFunctions } from './migrations.ts';
import { withClient } from './withClient.ts';

/** Held while functions are replaced, so that two migrations at once do not collide. */
const FUNCTIONS_LOCK = 7365016;

/** Brings the database to this release: tables, then functions, then the tables of the job queue. */
export async function migrate(databaseUrl: string, log: (line: string) => void = () => {}): Promise<void> {
  await migrateTo(databaseUrl, Number.POSITIVE_INFINITY, log);
  await withClient({ connectionString: databaseUrl }, (client) => applyFunctions(client, log));
  await migrateJobs({ connectionString: databaseUrl });
}

/** Runs only the first `count` migrations, without functions and the job queue: for the tables of an older backup. */
export async function migrateTo(
  databaseUrl: string,
  count: number,
  log: (line: string) => void = () => {},
): Promise<void> {
  const quiet = { info: log, warn: log, error: log, debug: () => {} };
  // Connected here: the library would print a refused connection by itself, with a stack trace.
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

/** Every file whose content was never run here. An older release does not undo a newer one's function. */
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
