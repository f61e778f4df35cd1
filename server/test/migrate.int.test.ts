import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { createFreshDatabase, type FreshDatabase } from '../../bin/freshDatabase.ts';
import { verifyAudit } from '../src/actions/verifyAudit.ts';
import { openDatabase } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate.ts';

let database: FreshDatabase;
let clients: pg.Client[];
beforeEach(async () => {
  database = await createFreshDatabase(inject('engines').DATABASE_URL, { prefix: 'migrate' });
  clients = [];
});
afterEach(async () => {
  for (const client of clients) await client.end();
  await database.drop();
});

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: database.url, statement_timeout: 10_000 });
  await client.connect();
  clients.push(client);
  return client;
}

/** Only the first so many: a database that an earlier release, or a migration that failed, left. */
function migrateSome(count: number): Promise<unknown> {
  const quiet = { info() {}, warn() {}, error() {}, debug() {} };
  const dir = fileURLToPath(new URL('../migrations', import.meta.url));
  return runner({
    databaseUrl: database.url,
    dir,
    direction: 'up',
    migrationsTable: 'migrations',
    count,
    logger: quiet,
  });
}

async function writeConversation(client: pg.Client): Promise<{ id: string; visitorId: string }> {
  const visitorId = randomUUID();
  await client.query("insert into handlers (alias) values ('desk') on conflict do nothing");
  const { rows } = await client.query<{ id: string }>(
    `with invited as (
       insert into invites (token_hash, handler_alias, state, expires_at)
       values (sha256(gen_random_uuid()::text::bytea), 'desk', 'BOUND', now() + interval '1 day') returning id
     )
     insert into conversations (invite_id, handler_alias, visitor_id) select id, 'desk', $1 from invited returning id`,
    [visitorId],
  );
  const id = rows[0]?.id ?? '';
  await client.query(
    'insert into devices (conversation_id, visitor_id, credential, first) values ($1, $2, $3, true)',
    [id, visitorId, Buffer.alloc(32)],
  );
  return { id, visitorId };
}

/** As a gateway of the release before sends; what came of it. */
async function send(client: pg.Client, to: { id: string; visitorId: string }, fromOwner = false) {
  const { rows } = await client.query(
    'select outcome from append_messages(array[$1::uuid], array[$2::uuid], array[$3::boolean], array[$4::uuid], array[$5], array[$6], false)',
    [to.id, randomUUID(), fromOwner, to.visitorId, fromOwner ? 'desk' : null, 'hello'],
  );
  return rows[0].outcome as number;
}

test('a table that stays busy makes the migration fail soon, and it can be run again', async () => {
  await migrateSome(3);
  const [busy, sender] = [await connect(), await connect()];
  const chats = [await writeConversation(busy), await writeConversation(busy)] as const;
  await busy.query('begin');
  await send(busy, chats[0]);
  const failed = migrate(database.url).then(
    () => 'done',
    (error: { code?: string }) => error.code,
  );
  // Held up, but not for longer than the migration waits.
  expect(await send(sender, chats[1])).toBe(0);
  expect(await failed).toBe('55P03');
  await busy.query('commit');
  await migrate(database.url);
  expect(await send(sender, chats[1])).toBe(0);
});

test('sends go on while the indexes of conversations are built, and when building failed it is run again', async () => {
  await migrateSome(6);
  const [busy, sender] = [await connect(), await connect()];
  const chats = [await writeConversation(busy), await writeConversation(busy)] as const;
  await busy.query('begin');
  await send(busy, chats[0]);
  const waits = async (): Promise<number> => {
    const { rows } = await sender.query(
      `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
         and query like '%index concurrently%'`,
    );
    return rows[0]?.pid ?? 0;
  };
  const killed = migrate(database.url).then(
    () => 'done',
    () => 'failed',
  );
  await expect.poll(waits, { timeout: 10_000 }).toBeGreaterThan(0);
  expect(await send(sender, chats[1])).toBe(0);
  await sender.query('select pg_cancel_backend($1)', [await waits()]);
  expect(await killed).toBe('failed');

  const migrated = migrate(database.url);
  await expect.poll(waits, { timeout: 10_000 }).toBeGreaterThan(0);
  expect(await send(sender, chats[1])).toBe(0);
  await busy.query('commit');
  await migrated;
  const { rows } = await sender.query<{ name: string }>(
    `select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
     where i.indrelid = 'conversations'::regclass and i.indisvalid and c.relname in ('conversations_ended', 'conversations_desk')`,
  );
  expect(rows.map(({ name }) => name).toSorted()).toEqual(['conversations_desk', 'conversations_ended']);
});

test('[OPEN-78] whoever waited before the migration waits after it, and nobody who was answered meanwhile', async () => {
  await migrateSome(3);
  const client = await connect();
  const silent = await writeConversation(client);
  const answered = await writeConversation(client);
  const asked = await writeConversation(client);
  // More than are done at once.
  await client.query(
    `with invited as (
       insert into invites (token_hash, handler_alias, state, expires_at)
       select sha256(gen_random_uuid()::text::bytea), 'desk', 'BOUND', now() from generate_series(1, 1200) returning id
     )
     insert into conversations (invite_id, handler_alias, visitor_id, last_seq, preview_from_owner)
     select id, 'desk', gen_random_uuid(), 1, false from invited`,
  );
  await send(client, answered);
  await migrateSome(1);
  await send(client, answered, true);
  await send(client, asked);
  await migrate(database.url);
  const { rows } = await client.query<{ id: string }>(
    `select id from conversations where waiting_since is distinct from
       case when preview_from_owner = false then last_message_at end`,
  );
  expect(rows).toEqual([]);
  const { rows: waiting } = await client.query<{ id: string }>(
    'select id from conversations where waiting_since is null order by id',
  );
  expect(waiting.map(({ id }) => id)).toEqual([silent.id, answered.id].toSorted());
});

test('[OPEN-195] what was in the audit log before it was a chain is its beginning, without gaps', async () => {
  const files = readdirSync(fileURLToPath(new URL('../migrations', import.meta.url))).toSorted();
  await migrateSome(files.findIndex((file) => file.includes('audit_chain')));
  const client = await connect();
  const insert = (target: string) =>
    client.query("insert into audit (actor, action, target) values ('cli', 'test.done', $1)", [target]);
  await insert('one');
  // A number that nobody got, as after a rollback.
  await client.query("select nextval(pg_get_serial_sequence('audit', 'id'))");
  await insert('two');
  await migrate(database.url);
  // As the release before still writes.
  await insert('three');
  const db = openDatabase(database.url, 1);
  try {
    expect(await verifyAudit({ db })).toMatchObject({ whole: true, count: 3 });
  } finally {
    await db.close();
  }
  const { rows } = await client.query('select id::int, target from audit order by id');
  expect(rows).toEqual([
    { id: 1, target: 'one' },
    { id: 2, target: 'two' },
    { id: 3, target: 'three' },
  ]);
});
