import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { lintMigration } from '../../../tools/migrations/lint.ts';
import { readMigration } from '../../../tools/migrations/read.ts';
import { openSnapshot } from '../../src/backup/snapshot.store.ts';
import { migrate, migrateTo } from '../../src/platform/db/migrate.ts';
import { MIGRATIONS_FOLDER, shippedFunctions, shippedMigrations } from '../../src/platform/db/migrations.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { startTestServer, type TestServer } from '../support/harness.ts';
import { createChat, createStaff, sendOver, watchAs } from '../support/people.ts';
import { soon } from '../support/soon.ts';

let database: TestDatabase;
let client: pg.Client;
let server: TestServer;
beforeAll(async () => {
  database = await createTestDatabase({ empty: true });
  client = new pg.Client(database.ownerUrl);
  await client.connect();
  server = await startTestServer();
  await createStaff(server, 'mara-east');
});
afterAll(async () => {
  await server.close();
  await client.end();
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

test('a migration refuses two URLs that name different databases, also if one of them does not exist', async () => {
  const nowhere = new URL(database.url);
  nowhere.pathname = '/nothing_here';
  for (const databaseUrl of [server.databaseUrl, nowhere.href])
    await expect(migrate({ ...urls(), databaseUrl })).rejects.toThrow('name different databases');
  // The database does not answer, which says nothing about its name.
  const unreachable = new URL(database.url);
  unreachable.port = '1';
  await expect(migrate({ ...urls(), databaseUrl: unreachable.href })).rejects.toThrow('ECONNREFUSED');
  const { rows } = await client.query("select to_regclass('migrations') as found");
  expect(rows).toEqual([{ found: null }]);
});

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

test('a function whose file changed is replaced by the next migration', async () => {
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

test('an older release that migrates again does not undo a newer function', async () => {
  await client.query(`alter function append_messages(${SIGNATURE}) set work_mem = '8MB'`);
  await client.query("insert into applied_functions (hash, name) values ('newer', 'append_messages')");
  await migrate(urls());
  const { rows } = await client.query(
    `select proconfig from pg_proc where oid = 'append_messages(${SIGNATURE})'::regprocedure`,
  );
  expect(rows).toEqual([{ proconfig: ['work_mem=8MB'] }]);
});

/** The next release. Sends read `brand`, and do not use `invites`. */
const NEXT = `set local lock_timeout = '300ms';
alter table invites add column mood text;
alter table brand add column mood text;`;

test('while another session holds a lock on invites, a migration tries again, and messages flow', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'settee-migrations-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(MIGRATIONS_FOLDER, folder, { recursive: true });
  const file = join(folder, '20991231000001_next.sql');
  await writeFile(file, NEXT);
  expect(lintMigration(await readMigration(file), [])).toEqual([]);
  const { visitor, conversationId } = await createChat(server, 'mara-east');
  const { socket } = await watchAs(visitor, conversationId);

  const holder = new pg.Client(server.ownerUrl);
  await holder.connect();
  await holder.query('begin; lock table invites in access share mode');
  const lines: string[] = [];
  const migrating = migrateTo(server.ownerUrl, { folder, log: (line) => lines.push(line) });
  /** Tables that the waiting migration has locked, or waits for. */
  const locked = async (): Promise<string[]> => {
    const { rows } = await holder.query<{ name: string }>(
      `select distinct relation::regclass::text as name from pg_locks
       where mode = 'AccessExclusiveLock' and database = (select oid from pg_database where datname = current_database())
         and pid in (select pid from pg_locks where relation = 'invites'::regclass and not granted)
         and relation is not null`,
    );
    return rows.map(({ name }) => name);
  };
  for (let attempt = 0; attempt < 3; attempt += 1) {
    await vi.waitFor(async () => expect(await locked()).toEqual(['invites']), soon);
    await sendOver(socket, conversationId, `attempt ${attempt}`);
    await vi.waitFor(async () => expect(await locked()).toEqual([]), soon);
  }
  expect(lines.filter((line) => line.includes('Trying again'))).toHaveLength(1);
  await holder.query('rollback');
  await migrating;
  const { rows } = await holder.query(
    "select count(*)::integer as columns from information_schema.columns where column_name = 'mood'",
  );
  expect(rows).toEqual([{ columns: 2 }]);
  await sendOver(socket, conversationId, 'migrated');
  socket.close();
  await holder.end();
});

test('settee migrate refuses to migrate during a backup, and only if there is something to do', async () => {
  const urls = { databaseUrl: server.databaseUrl, databaseOwnerUrl: server.ownerUrl };
  const snapshot = await openSnapshot(server.databaseUrl);
  try {
    await migrate(urls);
    // As a release that this one follows.
    await server.asOwner('update migrations set name = $1 where name = $2', [
      'another',
      shippedMigrations.at(-1),
    ]);
    await expect(migrate(urls)).rejects.toThrow(/^A backup is running. Nothing was changed/);
  } finally {
    await snapshot.close();
    await server.asOwner('update migrations set name = $2 where name = $1', [
      'another',
      shippedMigrations.at(-1),
    ]);
  }
  await migrate(urls);
});
