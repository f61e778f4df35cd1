import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { lintMigration } from '../../tools/migrations/lint.ts';
import { readMigration } from '../../tools/migrations/read.ts';
import { openSnapshot } from '../src/db/backup/snapshot.ts';
import { migrate, migrateTo } from '../src/db/engine/migrate.ts';
import { MIGRATIONS_FOLDER, shippedMigrations } from '../src/db/engine/migrations.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { createChat, createStaff, sendOver, watchAs } from './people.ts';
import { soon } from './soon.ts';

let server: TestServer;
let folder: string;
beforeAll(async () => {
  server = await startTestServer();
  await createStaff(server, 'mara-east');
});
afterAll(() => server.close());
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'settee-migrations-'));
  await cp(MIGRATIONS_FOLDER, folder, { recursive: true });
});
afterEach(() => rm(folder, { recursive: true }));

/** The next release. Sends read `brand`, and do not use `invites`. */
const NEXT = `set local lock_timeout = '300ms';
alter table invites add column mood text;
alter table brand add column mood text;`;

test('while another session holds a lock on invites, a migration tries again, and messages flow', async () => {
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
