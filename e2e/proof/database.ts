import pg from 'pg';
import { createFreshDatabase, type FreshDatabase } from '../../tools/freshDatabase.ts';

/** A new database in a PostgreSQL with fsync. `prepare` creates its tables. */
export async function createDatabase(
  url: string,
  prefix: string,
  prepare: (database: FreshDatabase) => Promise<void>,
): Promise<FreshDatabase> {
  const fresh = await createFreshDatabase(url, { prefix });
  const name = new URL(fresh.url).pathname.slice(1);
  await prepare(fresh);
  // Every retry is an error in PostgreSQL. Half a million of them would make the log huge.
  await query(url, `alter database ${name} set log_min_messages = fatal`);
  const settings = await query(
    fresh.url,
    'select setting from pg_settings where name = any ($1) order by name',
    [['fsync', 'synchronous_commit', 'full_page_writes']],
  );
  if (settings.some(([setting]) => setting !== 'on')) {
    throw new Error('PostgreSQL does not wait for the disk, so the run would prove nothing.');
  }
  return fresh;
}

/** Runs one statement on its own connection, without proxies. */
export async function query(url: string, text: string, values: unknown[] = []): Promise<unknown[][]> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on('error', () => {});
  await client.connect();
  try {
    const config = { text, values, rowMode: 'array' as const };
    const result = await client.query<unknown[]>(values.length === 0 ? { text, rowMode: 'array' } : config);
    return result.rows ?? [];
  } finally {
    await client.end();
  }
}
