import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { createFreshDatabase, type FreshDatabase } from '../../tools/freshDatabase.ts';
import { migrate } from '../src/db/engine/migrate.ts';
import { shippedFunctions, shippedMigrations } from '../src/db/engine/migrations.ts';

let database: FreshDatabase;
let client: pg.Client;
beforeEach(async () => {
  database = await createFreshDatabase(inject('engines').DATABASE_URL, { prefix: 'migrate' });
  client = new pg.Client(database.ownerUrl);
  await client.connect();
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

const urls = () => ({ databaseUrl: database.url, databaseOwnerUrl: database.ownerUrl });

const SIGNATURE = 'uuid[], uuid[], boolean[], uuid[], text[], text[], integer[], uuid[], boolean';

async function bodyOfAppend(): Promise<string> {
  const { rows } = await client.query<{ body: string }>(
    `select prosrc as body from pg_proc where oid = 'append_messages(${SIGNATURE})'::regprocedure`,
  );
  return rows[0]?.body ?? '';
}

async function applied(): Promise<string[]> {
  const { rows } = await client.query<{ hash: string }>('select hash from applied_functions order by hash');
  return rows.map(({ hash }) => hash);
}

test('[OPS-56] a migration runs everything once, and a second one changes nothing', async () => {
  await migrate(urls());
  const once = await applied();
  expect(once).toEqual(shippedFunctions.map(({ hash }) => hash).toSorted());
  const lines: string[] = [];
  await migrate(urls(), (line) => lines.push(line));
  expect(lines.filter((line) => line.startsWith('function '))).toEqual([]);
  expect(await applied()).toEqual(once);
  const { rows } = await client.query('select name from migrations');
  expect(rows).toHaveLength(shippedMigrations.length);
  // Only one function has that name.
  const { rowCount } = await client.query("select from pg_proc where proname = 'append_messages'");
  expect(rowCount).toBe(1);
});

test('[OPS-56] a function whose file changed is replaced by the next migration', async () => {
  await migrate(urls());
  const current = await bodyOfAppend();
  // As an earlier release left it: another body, another hash.
  const [signature] = shippedFunctions[0]?.sql.split('#variable_conflict') ?? [];
  await client.query(`${signature} begin raise exception 'earlier'; end $$`);
  expect(await bodyOfAppend()).toContain('earlier');
  await client.query("update applied_functions set hash = 'earlier' where name = 'append_messages'");
  await migrate(urls());
  expect(await bodyOfAppend()).toBe(current);
  expect(await applied()).toContain('earlier');
});

test('[OPS-56] an older release that migrates again does not undo a newer function', async () => {
  await migrate(urls());
  await client.query(`alter function append_messages(${SIGNATURE}) set work_mem = '8MB'`);
  await client.query("insert into applied_functions (hash, name) values ('newer', 'append_messages')");
  await migrate(urls());
  const { rows } = await client.query(
    `select proconfig from pg_proc where oid = 'append_messages(${SIGNATURE})'::regprocedure`,
  );
  expect(rows).toEqual([{ proconfig: ['work_mem=8MB'] }]);
});
