import { runMigrations as migrateJobs } from 'graphile-worker';
import { runner } from 'node-pg-migrate';
import type pg from 'pg';
import { isBackupRunning } from './backupMark.ts';
import { isLocked, retryLocked } from './lockRetry.ts';
import {
  MIGRATIONS_FOLDER,
  readAppliedMigrations,
  readMissingFunctions,
  shippedMigrations,
} from './migrations.ts';
import { run } from './query.ts';
import { grantToApplication, ownerUrl, type RoleUrls } from './roles.ts';
import { requireSameDatabase } from './sameDatabase.ts';
import { inTransaction, withClient } from './withClient.ts';

/** Serializes the replacement of functions. */
const FUNCTIONS_LOCK = 7365016;

/**
 * Migrates tables and the job queue, and grants them to the application role. Then come the functions: running gateways
 * of the release before call them, and they read new tables.
 */
export async function migrate(urls: RoleUrls, log: (line: string) => void = () => {}): Promise<void> {
  const databaseUrl = ownerUrl(urls);
  await requireSameDatabase(urls);
  await withClient({ connectionString: databaseUrl }, refuseDuringBackup);
  await migrateTo(databaseUrl, { log });
  await migrateJobs({ connectionString: databaseUrl });
  await grantToApplication(urls, log);
  await withClient({ connectionString: databaseUrl }, (client) => applyFunctions(client, log));
}

/** A migration would wait until the backup is complete, and delay messages with every attempt. */
async function refuseDuringBackup(client: pg.Client): Promise<void> {
  const applied = await readAppliedMigrations(client);
  if (applied === undefined || shippedMigrations.every((name) => applied.includes(name))) return;
  if (await isBackupRunning(client))
    throw new Error('A backup is running. Nothing was changed. Run settee migrate again after the backup.');
}

type MigrateOptions = {
  /** Only the first ones, for the tables of an older backup. */
  count?: number;
  folder?: string;
  log?: (line: string) => void;
};

/** Each migration is tried again until it gets its locks. */
export async function migrateTo(databaseUrl: string, options: MigrateOptions = {}): Promise<void> {
  const { count = Number.POSITIVE_INFINITY, folder = MIGRATIONS_FOLDER, log = () => {} } = options;
  const logged = new Set<string>();
  const logOnce = (line: string): void => {
    if (!logged.has(line)) log(line);
    logged.add(line);
  };
  const attempt = async (): Promise<void> => {
    const problems: string[] = [];
    const note = (line: string): void => void problems.push(line);
    const logger = { info: logOnce, warn: note, error: note, debug: () => {} };
    try {
      // Connect here: the library would print a refused connection with a stack trace.
      await withClient({ connectionString: databaseUrl }, (dbClient) =>
        runner({
          dbClient,
          dir: folder,
          direction: 'up',
          migrationsTable: 'migrations',
          logger,
          verbose: false,
          count,
        }),
      );
    } catch (error) {
      if (!isLocked(error)) problems.forEach(logOnce);
      throw error;
    }
  };
  await retryLocked(attempt, () =>
    logOnce('Another session holds a lock that the migration needs. Trying again …'),
  );
}

/** Applies files whose content was never applied. An older release does not undo a newer function. */
async function applyFunctions(client: pg.Client, log: (line: string) => void): Promise<void> {
  await inTransaction(client, async () => {
    await run(client)`select pg_advisory_xact_lock(${FUNCTIONS_LOCK}::bigint)`;
    for (const { name, sql, hash } of await readMissingFunctions(client)) {
      log(`function ${name}`);
      await client.query(sql);
      await run(client)`insert into applied_functions (hash, name) values (${hash}, ${name})`;
    }
  });
}
