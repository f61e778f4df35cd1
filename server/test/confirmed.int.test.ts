import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import type pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { killPostgres, postgresUrl, startPostgres } from '../../tools/engines/postgres.ts';
import { instanceFolder } from '../../tools/engines/state.ts';
import { openDatabase } from '../src/db/engine/database.ts';
import { migrate } from '../src/db/engine/migrate.ts';
import { run } from '../src/db/engine/query.ts';
import { inTransaction, withClient } from '../src/db/engine/withClient.ts';
import { UnknownOutcome } from '../src/db/message/appender.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { createChat, createStaff, type Person } from './people.ts';

// A separate PostgreSQL is created: a standby that is missing concerns all databases of a server.
const INSTANCE = `confirmed-${process.pid}`;

let [server, home]: [TestServer | undefined, string] = [undefined, ''];
let handler: Person | undefined;
let chat: Awaited<ReturnType<typeof createChat>>;

beforeAll(async () => {
  const record = await startPostgres(INSTANCE);
  home = record.folder ?? '';
  await migrate({ databaseUrl: postgresUrl(record) });
  server = await startTestServer({ databaseUrl: postgresUrl(record) });
  handler = await createStaff(server, 'desk');
  chat = await createChat(server, 'desk');
});
afterAll(async () => {
  await server?.close();
  await killPostgres(INSTANCE);
  for (const folder of [home, instanceFolder(INSTANCE)]) await rm(folder, { recursive: true, force: true });
});

/** While `work` runs, every commit waits for a standby that does not exist, and an operator cancels every wait. */
async function withoutStandby(work: () => Promise<void>): Promise<void> {
  const options = { connectionString: server?.databaseUrl ?? '', options: '-c synchronous_commit=local' };
  await withClient(options, async (operator) => {
    const setStandby = async (name: string): Promise<void> => {
      await operator.query(`alter system set synchronous_standby_names = '${name}'`);
      await operator.query('select pg_reload_conf()');
      await expect.poll(() => warnsOnCommit()).toBe(name !== '');
    };
    let over = false;
    const cancelling = (async () => {
      while (!over) {
        await operator.query(
          "select pg_cancel_backend(pid) from pg_stat_activity where wait_event = 'SyncRep'",
        );
      }
    })();
    try {
      await setStandby('nobody');
      await work();
    } finally {
      await setStandby('');
      over = true;
      await cancelling;
    }
  });
}

function warnsOnCommit(): Promise<boolean> {
  return withClient({ connectionString: server?.databaseUrl ?? '' }, async (client) => {
    let warned = false;
    client.on('notice', () => {
      warned = true;
    });
    await write(client);
    return warned;
  });
}

const write = (client: pg.Client) => client.query("select pg_logical_emit_message(true, 'test', '')");

test('[MSG-04] an action is not answered with success if its commit did not reach the standby', async () => {
  const path = `/conversations/${chat.conversationId}`;
  const actions = {
    transaction: () => handler?.call('POST', `${path}/notes`, { id: randomUUID(), text: 'is it stored?' }),
    'single statement': () => handler?.call('PUT', `${path}/unread`, { unread: true }),
  };
  await withoutStandby(async () => {
    for (const [name, act] of Object.entries(actions)) {
      expect((await act())?.body.success, name).toBe(false);
    }
  });
  for (const [name, act] of Object.entries(actions)) expect((await act())?.body.success, name).toBe(true);
});

test('[MSG-04] neither is a transaction of a command', async () => {
  const transaction = () =>
    withClient({ connectionString: server?.databaseUrl ?? '' }, (client) =>
      inTransaction(client, () => write(client)),
    );
  await withoutStandby(() => expect(transaction()).rejects.toThrow('synchronous replication'));
  await transaction();
});

test('[MSG-04] another warning does not make a statement fail', async () => {
  // After an update of its libraries, PostgreSQL warns about collations, once per connection.
  await server?.asOwner("update pg_collation set collversion = '1' where collname = 'und-x-icu'");
  const db = openDatabase(server?.databaseUrl ?? '', 1);
  const warnings: (string | undefined)[] = [];
  db.pool.on('connect', (client) => client.on('notice', ({ code }) => warnings.push(code)));
  await run(db)`select 'a' < 'b' collate "und-x-icu"`;
  expect(warnings).toEqual(['01000']);
  await db.close();
});

test('[MSG-04] a confirmation without the standby gives no ack: the outcome is unknown until the repeat', async () => {
  const draft = {
    conversationId: chat.conversationId,
    id: randomUUID(),
    text: 'was it stored?',
    fromOwner: false,
    authorId: chat.visitor.browser.visitorId,
    alias: null,
    after: null,
    mediaId: null,
  };
  const { appender } = server?.app ?? {};
  await withoutStandby(() => expect(appender?.append(draft)).rejects.toThrow(UnknownOutcome));
  expect(await appender?.append(draft)).toMatchObject({ outcome: 'repeated', seq: 1 });
});
