import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { Appender, UnknownOutcome } from '../../src/messages/appender.store.ts';
import { noopMetrics } from '../../src/platform/metrics/noopMetrics.ts';
import type { Draft } from '../../src/platform/ports/ports.ts';
import { startTestServer, type TestServer } from '../support/harness.ts';
import { openTransaction } from '../support/openTransaction.ts';
import { createChat, createStaff } from '../support/people.ts';

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

async function chat(): Promise<(text: string, id?: string) => Draft> {
  const { visitor, conversationId } = await createChat(server, 'desk');
  const authorId = visitor.browser.visitorId;
  return (text, id = randomUUID()) => ({ ...anyDraft(), conversationId, id, text, authorId });
}

async function stored(conversationId: string): Promise<{ seq: number; id: string }[]> {
  const { rows } = await server.app.db.pool.query(
    'select seq, id from messages where conversation_id = $1 order by seq',
    [conversationId],
  );
  return rows;
}

test('[MSG-01] a repeat is the same message: same number, same time, one row, also among new messages', async () => {
  const draft = await chat();
  const known = draft('known');
  const first = await server.app.appender.append(known);
  const batch = [draft('a'), known, draft('b'), known, draft('c')];
  const results = await Promise.all(batch.map((each) => server.app.appender.append(each)));
  expect(results.map((result) => 'seq' in result && result.seq)).toEqual([2, 1, 3, 1, 4]);
  expect(results[1]).toEqual({
    outcome: 'repeated',
    seq: 1,
    createdAt: 'createdAt' in first && first.createdAt,
  });
  expect((await stored(known.conversationId)).map((row) => row.seq)).toEqual([1, 2, 3, 4]);
});

test('[MSG-01] a known id with other content is refused', async () => {
  const draft = await chat();
  const id = randomUUID();
  await server.app.appender.append(draft('this', id));
  expect(await server.app.appender.append(draft('that', id))).toEqual({ outcome: 'idReused' });
});

test('[C-06] [P-01] nothing is stored without a conversation that the sender belongs to', async () => {
  const draft = (await chat())('hello');
  const nowhere = { ...draft, conversationId: randomUUID() };
  const stranger = { ...draft, authorId: randomUUID() };
  const otherDesk = { ...draft, fromOwner: true, alias: 'another' };
  for (const wrong of [nowhere, stranger, otherDesk]) {
    expect(await server.app.appender.append(wrong)).toEqual({ outcome: 'notFound' });
  }
  await client.query('update devices set revoked_at = now() where conversation_id = $1', [
    draft.conversationId,
  ]);
  expect(await server.app.appender.append(draft)).toEqual({ outcome: 'notFound' });
  expect(await stored(draft.conversationId)).toEqual([]);
});

test('[MSG-01] gateways that store in the same conversations at once neither deadlock nor leave gaps', async () => {
  const drafts: Awaited<ReturnType<typeof chat>>[] = [];
  for (let n = 0; n < 6; n += 1) drafts.push(await chat());
  const gateways = Array.from({ length: 3 }, () => new Appender(server.databaseUrl, 2));
  const ids = Array.from({ length: 20 }, () => randomUUID());
  // Every gateway sends every message in a different order, for as many repeats as possible.
  const results = await Promise.all(
    gateways.flatMap((gateway, turn) =>
      ids.flatMap((id, at) =>
        drafts.map((draft, chatIndex) => {
          const pick = drafts[(chatIndex + turn + at) % drafts.length] ?? draft;
          return gateway.append(pick(`text ${id}`, id));
        }),
      ),
    ),
  );
  expect(new Set(results.map((result) => result.outcome))).toEqual(new Set(['stored', 'repeated']));
  for (const draft of drafts) {
    const rows = await stored(draft('').conversationId);
    expect(rows.map((row) => row.seq)).toEqual(ids.map((_, index) => index + 1));
    expect(new Set(rows.map((row) => row.id))).toEqual(new Set(ids));
  }
  await Promise.all(gateways.map((gateway) => gateway.close()));
});

test('[D-02] [S-11] time never goes backwards within a conversation, whatever the clock does', async () => {
  const draft = await chat();
  const first = await server.app.appender.append(draft('now'));
  await server.app.db.pool.query(
    "update conversations set last_message_at = now() + interval '1 hour' where id = $1",
    [draft('').conversationId],
  );
  const second = await server.app.appender.append(draft('later'));
  if (first.outcome !== 'stored' || second.outcome !== 'stored') throw new Error('not stored');
  expect(second.createdAt - first.createdAt).toBeGreaterThan(3_500_000);
});

test('[MSG-21] a visitor reopens a conversation closed within the window, not later, and never a blocked one', async () => {
  const draft = await chat();
  const { conversationId } = draft('');
  const set = (sql: string) =>
    server.app.db.pool.query(`update conversations set ${sql} where id = $1`, [conversationId]);
  await set("status = 'closed', closed_at = now() - interval '6 days'");
  expect(await server.app.appender.append(draft('back again'))).toMatchObject({
    outcome: 'stored',
    seq: 1,
    rev: 1,
  });
  const { rows } = await server.app.db.pool.query('select status from conversations where id = $1', [
    conversationId,
  ]);
  expect(rows).toEqual([{ status: 'open' }]);
  await set("status = 'closed', closed_at = now() - interval '8 days'");
  expect(await server.app.appender.append(draft('too late'))).toEqual({ outcome: 'closed' });
  await set("status = 'blocked', closed_at = now()");
  expect(await server.app.appender.append(draft('blocked'))).toEqual({ outcome: 'closed' });
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
const history = `insert into messages (conversation_id, seq, id, from_owner, author_id, created_at, text)
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
  ['a long text', [], { text: '👍'.repeat(300) }],
  ['a clock that went back', [conversation("last_message_at = now() + interval '1 hour'")], {}],
  ['a marked conversation', [conversation('marked_unread = true')], {}],
  ['a reply', [asked, conversation('marked_unread = true')], staff],
  ['a reply before any question', [], staff],
  ['a second reply', [asked, conversation("first_replied_at = now() - interval '30 minutes'")], staff],
  ['a guarded reply to the newest message', [history, asked], { ...staff, after: 3 }],
  ['an outdated reply', [history, asked], { ...staff, after: 2 }],
  ['another desk', [], { ...staff, alias: 'other' }],
  ['a closed conversation', [conversation("status = 'closed', closed_at = now() - interval '1 day'")], {}],
  ['a reply in a closed conversation', [conversation("status = 'closed', closed_at = now()")], staff],
  ['a blocked visitor', [conversation("status = 'blocked', closed_at = now()")], {}],
  ['a desk that listens', [deskListens], {}],
  ['a desk with a pending push', [deskListens, pushDue(true, "now() + interval '1 hour'", 'null')], {}],
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

test.each([
  ['message', 'notFound', 'devices set revoked_at = now() where conversation_id = $1'],
  [
    'reply',
    'closed',
    "invites set state = 'REVOKED' where id = (select invite_id from conversations where id = $1)",
  ],
])(
  'a %s whose access is revoked while it waits for the row is refused',
  async (what, outcome, revocation) => {
    const draft = { ...(await chat())('too late'), fromOwner: what === 'reply' };
    const revoking = await openTransaction(server);
    await revoking.query('select from conversations where id = $1 for update', [draft.conversationId]);
    const waiting = server.app.appender.append(draft);
    const locks = `select from pg_stat_activity
    where application_name = 'settee-append' and wait_event_type = 'Lock' and datname = current_database()`;
    await expect.poll(async () => (await client.query(locks)).rowCount).toBe(1);
    await revoking.query(`update ${revocation}`, [draft.conversationId]);
    await revoking.commit();
    expect(await waiting).toEqual({ outcome });
  },
);

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

const anyDraft = (): Draft => ({
  conversationId: randomUUID(),
  id: randomUUID(),
  text: 'hello',
  fromOwner: false,
  authorId: randomUUID(),
  alias: null,
  after: null,
  mediaId: null,
});

function countingUnconfirmed() {
  const unconfirmed = vi.fn();
  return { unconfirmed, metrics: { ...noopMetrics, unconfirmed } };
}

test('messages that never reached the database are not counted as possibly stored', async () => {
  const { unconfirmed, metrics } = countingUnconfirmed();
  const appender = new Appender('postgres://127.0.0.1:1/nowhere', 1, metrics);
  await expect(appender.append(anyDraft())).rejects.toThrow(UnknownOutcome);
  await appender.close();
  await expect(appender.append(anyDraft())).rejects.toThrow('not taken');
  expect(unconfirmed).not.toHaveBeenCalled();
});

test('[MSG-05] the messages behind one on a connection that broke fail too, and all are counted as possibly stored', async () => {
  const { unconfirmed, metrics } = countingUnconfirmed();
  // Just enough of PostgreSQL to connect: it accepts everybody, is ready, and dies at the first query.
  const letIn = Buffer.concat([packet('R', [0, 0, 0, 0]), packet('Z', ['I'.charCodeAt(0)])]);
  const dying = createServer((socket) => {
    socket.on('error', () => {});
    socket.once('data', () => {
      socket.write(letIn);
      socket.once('data', () => socket.destroy());
    });
  });
  await once(dying.listen(0, '127.0.0.1'), 'listening');
  const { port } = dying.address() as AddressInfo;
  const appender = new Appender(`postgres://somebody@127.0.0.1:${port}/there`, 1, metrics);
  const first = appender.append(anyDraft());
  // The call with the first message has begun.
  await turn();
  const results = await Promise.allSettled([first, appender.append(anyDraft())]);
  expect(results).toMatchObject(results.map(() => ({ reason: expect.any(UnknownOutcome) })));
  expect(unconfirmed).toHaveBeenCalledExactlyOnceWith(2);
  await appender.close();
  dying.close();
});

function packet(type: string, body: number[]): Buffer {
  const length = Buffer.alloc(4);
  length.writeInt32BE(body.length + 4);
  return Buffer.concat([Buffer.from(type), length, Buffer.from(body)]);
}
