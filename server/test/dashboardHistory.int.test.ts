import { randomUUID } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runner } from 'node-pg-migrate';
import pg from 'pg';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { createFreshDatabase, type FreshDatabase } from '../../bin/freshDatabase.ts';
import { readDashboard } from '../src/db/dashboard.ts';
import { openDatabase } from '../src/db/database.ts';
import { migrate } from '../src/db/migrate.ts';
import { figuresByHand, figuresOf } from './dashboardByHand.ts';
import { seededRandom } from './seededRandom.ts';

const DIR = fileURLToPath(new URL('../migrations', import.meta.url));
const COUNTING = '20261115000015';

let database: FreshDatabase;
let client: pg.Client;
beforeEach(async () => {
  database = await createFreshDatabase(inject('engines').DATABASE_URL, { prefix: 'history' });
  client = await connect();
});
afterEach(async () => {
  await client.end();
  await database.drop();
});

async function connect(): Promise<pg.Client> {
  const made = new pg.Client({ connectionString: database.url, statement_timeout: 30_000 });
  await made.connect();
  return made;
}

/** As far as the release before this one came, and so many steps further. */
function migrateUntilCounting(further: number): Promise<unknown> {
  const quiet = { info() {}, warn() {}, error() {}, debug() {} };
  const count = further === 0 ? readdirSync(DIR).filter((name) => name < COUNTING).length : further;
  return runner({
    databaseUrl: database.url,
    dir: DIR,
    direction: 'up',
    migrationsTable: 'migrations',
    count,
    logger: quiet,
  });
}

type Chat = { id: string; visitorId: string };

async function makeChat(): Promise<Chat> {
  const visitorId = randomUUID();
  const { rows } = await client.query<{ id: string }>(
    `with invited as (
       insert into invites (token_hash, handler_alias, state, expires_at, bound_at)
       values (sha256(gen_random_uuid()::text::bytea), 'desk', 'BOUND', now() + interval '1 day', now()) returning id
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

/** As a gateway of the release before sends. */
async function send(by: pg.Client, { id, visitorId }: Chat, fromOwner: boolean): Promise<void> {
  const { rows } = await by.query(
    `select outcome from append_messages(array[$1::uuid], array[gen_random_uuid()], array[$2::boolean],
       array[$3::uuid], array[$4], array['hello'], array[null::integer], array[null::uuid], false)`,
    [id, fromOwner, fromOwner ? STAFF : visitorId, fromOwner ? 'desk' : null],
  );
  expect(rows[0].outcome).toBe(0);
}

const STAFF = '00000000-0000-4000-8000-00000000000a';

test('[OPEN-188] what happened before the update is counted once, whoever wrote during it and wherever it was broken off', async () => {
  await migrateUntilCounting(0);
  await client.query("insert into handlers (alias) values ('desk'), ('other')");
  await client.query(
    `insert into staff (id, email, name, password_hash, role, alias) values
       ($1, 'a@settee.example', 'A', '', 'handler', 'desk'),
       (gen_random_uuid(), 'b@settee.example', 'B', '', 'handler', 'other')`,
    [STAFF],
  );
  const random = seededRandom(15);
  const chats: Chat[] = [];
  // More than are counted at once.
  for (let n = 0; n < 230; n += 1) {
    const chat = await makeChat();
    chats.push(chat);
    for (let said = random.below(6); said > 0; said -= 1) await send(client, chat, random.below(2) === 0);
  }
  await client.query(`insert into invites (token_hash, handler_alias, expires_at)
    select sha256(n::text::bytea), 'desk', now() + interval '1 day' from generate_series(1, 700) n`);
  // Spread over the days, each conversation and its invite as a whole.
  await client.query(
    "create temp table moved as select id, invite_id, random() * interval '20 days' as by from conversations",
  );
  await client.query(`
    update conversations c set created_at = c.created_at - by, last_message_at = c.last_message_at - by,
      waiting_since = c.waiting_since - by from moved m where c.id = m.id;
    update messages c set created_at = created_at - by + seq * interval '37 seconds' from moved m where c.conversation_id = m.id;
    update conversations c set last_message_at = last.at, waiting_since = case when c.waiting_since is not null then (
        select min(m.created_at) from messages m where m.conversation_id = c.id and not m.from_owner and m.seq > coalesce(
          (select max(o.seq) from messages o where o.conversation_id = c.id and o.from_owner), 0)) end
      from (select conversation_id, max(created_at) as at from messages group by 1) last where last.conversation_id = c.id;
    update invites i set created_at = i.created_at - by from moved m where i.id = m.invite_id;`);

  const last = chats.toSorted((a, b) => (a.id < b.id ? -1 : 1)).at(-1) as Chat;
  // The desk that answered is not where they are today.
  const handedOver = chats.slice(50, 110).filter(({ id }) => id !== last.id);
  await client.query(
    `with moved as (update conversations set handler_alias = 'other' where id = any ($1) returning id)
     insert into notes (id, conversation_id, after_seq, author_id, text, from_alias, to_alias)
     select gen_random_uuid(), id, 0, $2, '', 'desk', 'other' from moved`,
    [handedOver.map(({ id }) => id), STAFF],
  );

  // From here on new messages are counted; of these conversations none is yet.
  await migrateUntilCounting(2);
  for (const chat of chats.slice(0, 40)) {
    await send(client, chat, false);
    await send(client, chat, true);
  }
  await client.query(
    "update invites set state = 'SEEN', seen_at = now() where id in (select id from invites where state = 'NEW' limit 30)",
  );
  const fresh = await makeChat();
  await send(client, fresh, false);

  // A send that is under way holds the counting up, and it is broken off there.
  const busy = await connect();
  await busy.query('begin');
  await send(busy, last, false);
  const brokenOff = migrate(database.url).then(
    () => 'done',
    () => 'failed',
  );
  const counting = async (): Promise<number> => {
    const { rows } = await client.query(
      `select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and pid <> pg_backend_pid()`,
    );
    return rows[0]?.pid ?? 0;
  };
  await expect.poll(counting, { timeout: 20_000 }).toBeGreaterThan(0);
  // Nobody else is held up by it.
  await send(client, chats.find(({ id }) => id !== last.id) as Chat, true);
  await client.query('select pg_cancel_backend($1)', [await counting()]);
  expect(await brokenOff).toBe('failed');
  await busy.query('commit');
  await busy.end();
  await send(client, last, true);
  await migrate(database.url);

  const db = openDatabase(database.url, 4);
  try {
    const now = new Date();
    for (const period of ['today', '7days', '30days'] as const) {
      const answer = await readDashboard(db, { period, zone: 'Asia/Kathmandu', now: now.getTime() });
      expect(figuresOf(answer), period).toEqual(
        await figuresByHand(client, { period, zone: 'Asia/Kathmandu', now }),
      );
    }
    const { rows } = await client.query(
      'select count(*)::int as left from conversations where uncounted is distinct from -1',
    );
    expect(rows[0].left).toBe(0);
  } finally {
    await db.close();
  }
}, 180_000);
