import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Appender } from '../src/db/message/appender.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { createChat, createStaff } from './people.ts';

let server: TestServer;
let client: pg.Client;
let conversationId: string;
let visitorId: string;
beforeAll(async () => {
  server = await startTestServer();
  await createStaff(server, 'desk');
  const created = await createChat(server, 'desk');
  conversationId = created.conversationId;
  visitorId = created.visitor.browser.visitorId;
  client = new pg.Client(server.databaseUrl);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await server.close();
});

type Call = {
  fromOwner?: boolean;
  authorId?: string;
  alias?: string | null;
  after?: number | null;
  text?: string;
};

const conversation = (set: string): string => `update conversations set ${set} where id = $1`;
const asked = conversation(
  "last_seq = 3, unread = 2, waiting_since = now() - interval '1 hour', first_asked_at = now() - interval '1 hour'",
);
const stored = `insert into messages (conversation_id, seq, id, from_owner, author_id, created_at, text)
  select $1, n, gen_random_uuid(), n = 3, gen_random_uuid(), now(), 'earlier' from generate_series(1, 3) n`;
const deskListens = `insert into push_subscriptions (alias, staff_id, session_id, endpoint, p256dh, auth)
  select 'desk', s.staff_id, s.id, 'https://push.example/' || $1::uuid, 'key', 'auth' from staff_sessions s limit 1`;
const visitorListens = `insert into push_subscriptions (visitor_id, endpoint, p256dh, auth)
  select d.visitor_id, 'https://push.example/' || $1, 'key', 'auth' from devices d where d.conversation_id = $1::uuid`;
const pushDue = (toOwner: boolean, due: string, pushed: string): string =>
  `insert into push_due (conversation_id, to_owner, seq, due_at, pushed_at) values ($1, ${toOwner}, 2, ${due}, ${pushed})`;
const staff: Call = { fromOwner: true, alias: 'desk' };

const cases: [name: string, setup: string[], call: Call][] = [
  ['the first message', [], {}],
  ['a second question', [asked], {}],
  ['a long text', [], { text: '👍'.repeat(300) }],
  ['a clock that went back', [conversation("last_message_at = now() + interval '1 hour'")], {}],
  ['a marked conversation', [conversation('marked_unread = true')], {}],
  ['a reply', [asked, conversation('marked_unread = true')], staff],
  ['a reply before any question', [], staff],
  ['a second reply', [asked, conversation("first_replied_at = now() - interval '30 minutes'")], staff],
  ['an administrator', [asked], { ...staff, alias: null }],
  ['a guarded reply to the newest message', [stored, asked], { ...staff, after: 3 }],
  [
    'a guarded reply after a visitor wrote',
    [stored, asked, conversation('last_seq = 4')],
    { ...staff, after: 3 },
  ],
  ['an outdated reply', [stored, asked], { ...staff, after: 2 }],
  ['another desk', [], { ...staff, alias: 'other' }],
  ['a closed conversation', [conversation("status = 'closed', closed_at = now() - interval '1 day'")], {}],
  ['one closed long ago', [conversation("status = 'closed', closed_at = now() - interval '30 days'")], {}],
  ['a reply in a closed conversation', [conversation("status = 'closed', closed_at = now()")], staff],
  ['a blocked visitor', [conversation("status = 'blocked', closed_at = now()")], {}],
  ['a desk that listens', [deskListens], {}],
  ['a desk with a pending push', [deskListens, pushDue(true, "now() + interval '1 hour'", 'null')], {}],
  ['a desk with a late push', [deskListens, pushDue(true, "now() - interval '1 hour'", 'null')], {}],
  [
    'a desk that was notified just now',
    [deskListens, pushDue(true, 'null', "now() + interval '1 hour'")],
    {},
  ],
  ['a visitor who listens', [asked, visitorListens], staff],
  [
    'a visitor who saw the pending message',
    [visitorListens, conversation('visitor_seen = 2'), pushDue(false, "now() + interval '1 hour'", 'null')],
    staff,
  ],
];

test.each(cases)('the short path leaves what the general path leaves: %s', async (_, setup, call) => {
  const short = await effects(setup, call, false);
  const general = await effects(setup, call, true);
  expect(short).toEqual(general);
  const stored = short.results.filter(({ outcome }) => outcome === 0);
  expect(short.messages).toHaveLength(stored.length);
});

test('an unusual message among usual ones gets its own answer', async () => {
  const { visitor, conversationId: other } = await createChat(server, 'desk');
  await client.query("update conversations set status = 'blocked', closed_at = now() where id = $1", [other]);
  const draft = { fromOwner: false, alias: null, after: null, mediaId: null };
  const mine = { ...draft, conversationId, authorId: visitorId, text: 'fine' };
  const blocked = { ...draft, conversationId: other, authorId: visitor.browser.visitorId, text: 'refused' };
  const appender = new Appender(server.databaseUrl, 1);
  const results = await Promise.all(
    [mine, blocked, mine].map((each) => appender.append({ ...each, id: randomUUID() })),
  );
  await appender.close();
  expect(results.map(({ outcome }) => outcome)).toEqual(['stored', 'closed', 'stored']);
});

test('a sender without a device stores nothing and uses no number', async () => {
  const draft = {
    conversationId,
    id: randomUUID(),
    text: 'let me in',
    fromOwner: false,
    authorId: visitorId,
  };
  const whole = { ...draft, alias: null, after: null, mediaId: null };
  const before = await head();
  expect(await server.app.appender.append({ ...whole, authorId: randomUUID() })).toEqual({
    outcome: 'notFound',
  });
  await client.query('update devices set revoked_at = now() where conversation_id = $1', [conversationId]);
  expect(await server.app.appender.append(whole)).toEqual({ outcome: 'notFound' });
  expect(await head()).toEqual(before);
  await client.query('update devices set revoked_at = null where conversation_id = $1', [conversationId]);
});

test('a device that is revoked while its message waits for the row is refused', async () => {
  const other = new pg.Client(server.databaseUrl);
  await other.connect();
  await other.query('begin');
  await other.query('select from conversations where id = $1 for update', [conversationId]);
  const whole = { conversationId, id: randomUUID(), text: 'too late', fromOwner: false, authorId: visitorId };
  const waiting = server.app.appender.append({ ...whole, alias: null, after: null, mediaId: null });
  await waitsForLock();
  await other.query('update devices set revoked_at = now() where conversation_id = $1', [conversationId]);
  await other.query('commit');
  expect(await waiting).toEqual({ outcome: 'notFound' });
  await other.query('update devices set revoked_at = null where conversation_id = $1', [conversationId]);
  await other.end();
});

async function head(): Promise<unknown> {
  const { rows } = await client.query('select last_seq, unread from conversations where id = $1', [
    conversationId,
  ]);
  return rows;
}

async function waitsForLock(): Promise<void> {
  await expect
    .poll(async () => {
      const { rows } = await client.query(
        `select count(*)::integer as n from pg_stat_activity
         where application_name = 'settee-append' and wait_event_type = 'Lock' and datname = current_database()`,
      );
      return rows[0].n;
    })
    .toBe(1);
}

type Row = Record<string, unknown>;
type Effects = Record<'results' | 'conversation' | 'messages' | 'push' | 'figures', Row[]>;

/** Everything that one call changes, in a transaction that is rolled back. Times are relative to its start. */
async function effects(setup: string[], call: Call, general: boolean): Promise<Effects> {
  const { fromOwner = false, authorId = visitorId, alias = null, after = null, text = 'a word' } = call;
  const id = '00000000-0000-4000-8000-000000000001';
  await client.query('begin');
  try {
    for (const statement of setup) await client.query(statement, [conversationId]);
    await client.query('delete from figures_fresh');
    const began = Date.now();
    const rows = async (query: string, values: unknown[] = [conversationId]): Promise<Row[]> =>
      (await client.query<Row>(query, values)).rows.map((row) => sinceStart(row, began));
    return {
      results: await rows(
        `select item, outcome, seq, to_timestamp(created_ms / 1000) as at, unread, handler_alias, rev, picture
         from append_messages($1::uuid[], $2::uuid[], $3::boolean[], $4::uuid[], $5::text[], $6::text[], $7::integer[],
           null, $8)`,
        [[conversationId], [id], [fromOwner], [authorId], [alias], [text], [after], general],
      ),
      conversation: await rows('select * from conversations where id = $1'),
      messages: await rows(
        `select seq, id, from_owner, author_id, created_at, text, media_id from messages
         where conversation_id = $1 and id = $2`,
        [conversationId, id],
      ),
      push: await rows('select * from push_due where conversation_id = $1'),
      figures: await rows(
        'select sum(visitors) as visitors, sum(replies) as replies, sum(answered) as answered from figures_fresh',
        [],
      ),
    };
  } finally {
    await client.query('rollback');
  }
}

/** So coarse that the duration of the test does not matter. */
const TEN_MINUTES = 600_000;

function sinceStart(row: Row, began: number): Row {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value instanceof Date ? Math.round((value.getTime() - began) / TEN_MINUTES) || 0 : value,
    ]),
  );
}
