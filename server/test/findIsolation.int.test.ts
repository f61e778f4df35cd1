import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './harness.ts';
import { completely, indexAll } from './indexAll.ts';
import { createAdministrator, createChat, createStaff, type Person } from './people.ts';
import { writeMessage } from './writtenConversations.ts';

let server: TestServer;
let mine: Person;
let other: Person;
let visitor: Person;
let admin: Person;
let conversationId: string;

beforeAll(async () => {
  server = await startTestServer();
  mine = await createStaff(server, 'mine');
  other = await createStaff(server, 'other');
  admin = await createAdministrator(server);
  const chat = await createChat(server, 'mine');
  ({ visitor, conversationId } = chat);
  await visitor.call('PUT', `/conversations/${conversationId}/visitorName`, { visitorName: 'Wolverine' });
  await server.app.db.pool.query(
    "update invites set label = 'Wolverine fair' where id = (select invite_id from conversations where id = $1)",
    [conversationId],
  );
  await writeMessage(server, conversationId, 'a wolverine was here');
});
afterAll(() => server.close());

async function found(
  person: Person,
  words = 'wolverine',
): Promise<{ conversations: number; messages: number }> {
  await indexAll(server);
  const { body } = await completely(() => person.call('GET', `/search?q=${words}`));
  return { conversations: body.conversations.length, messages: body.messages.length };
}

const ALL = { conversations: 1, messages: 1 };
const NOTHING = { conversations: 0, messages: 0 };

const calls = () =>
  [
    ['GET', '/search?q=wolverine'],
    ['GET', '/queue/closed'],
    ['GET', `/conversations/${conversationId}/details`],
    ['PUT', `/conversations/${conversationId}/unread`, { unread: true }],
  ] as const;

test('[P-02] visitors and signed-out people get nothing from search, closed list, details and marks', async () => {
  for (const [method, path, body] of calls()) {
    expect((await visitor.call(method, path, body)).body, path).toMatchObject({
      success: false,
      code: 'access_denied',
    });
    const bare = await server.request(method, path, { ...(body !== undefined && { body }) });
    expect(bare.body, path).toMatchObject({ success: false, code: 'unauthenticated' });
    const forged = await server.request(method, path, {
      token: 'x.y.z',
      ...(body !== undefined && { body }),
    });
    expect(forged.body, path).toMatchObject({ success: false, code: 'unauthenticated' });
  }
});

test('[P-02] another desk’s conversation looks like one that does not exist', async () => {
  for (const id of [conversationId, randomUUID(), 'no-id']) {
    for (const [method, path, body] of [
      ['GET', `/conversations/${id}/details`, undefined],
      ['PUT', `/conversations/${id}/unread`, { unread: true }],
    ] as const)
      expect((await other.call(method, path, body)).body, path).toEqual({
        success: false,
        code: 'not_found',
        error: 'Conversation not found',
      });
  }
  const { rows } = await server.app.db.pool.query('select marked_unread from conversations where id = $1', [
    conversationId,
  ]);
  expect(rows[0].marked_unread).toBe(false);
  await mine.call('PUT', `/conversations/${conversationId}/status`, { status: 'closed' });
  expect((await other.call('GET', '/queue/closed')).body).toEqual({
    success: true,
    rows: [],
    next: null,
    deleted: [],
  });
  const cursor = `${Date.now() + 60_000}_${randomUUID()}`;
  expect((await other.call('GET', `/queue/closed?before=${cursor}`)).body.rows).toEqual([]);
  expect((await mine.call('GET', '/queue/closed')).body.rows).toHaveLength(1);
  await mine.call('PUT', `/conversations/${conversationId}/status`, { status: 'open' });
});

test('[P-02] a handler’s search covers their desk, an administrator’s every desk, and without a desk nothing', async () => {
  expect(await found(mine)).toEqual(ALL);
  expect(await found(other)).toEqual(NOTHING);
  expect(await found(admin)).toEqual(ALL);
  // An administrator with a desk still sees everything.
  const { pool } = server.app.db;
  await pool.query("update staff set alias = 'other' where role = 'admin'");
  expect(await found(admin)).toEqual(ALL);
  await pool.query("update staff set alias = null where role = 'admin'");
  const deskless = await createStaff(server, 'leaving');
  await pool.query("update staff set alias = null where alias = 'leaving'");
  const { body } = await deskless.call('GET', '/search?q=wolverine');
  expect(body.messages ?? []).toEqual([]);
  expect(body.conversations ?? []).toEqual([]);
});

test('[P-02] after a hand-over only the new desk finds the conversation, however stale the index is', async () => {
  const { pool } = server.app.db;
  const handOver = (alias: string) =>
    pool.query('update conversations set handler_alias = $2 where id = $1', [conversationId, alias]);
  expect(await found(mine)).toEqual(ALL);
  await handOver('other');
  // The old desk's index still contains every word.
  const stale = await pool.query(
    "select count(*)::integer as n from search_entries where words @@ (search_query('{mine}', 'message', 'wolverine'))::tsquery",
  );
  expect(stale.rows[0].n).toBe(1);
  expect(await found(mine)).toEqual(NOTHING);
  expect(await found(other)).toEqual(ALL);
  expect(await found(mine)).toEqual(NOTHING);
  expect(await found(admin)).toEqual(ALL);
  const entries = await pool.query(
    'select count(*)::integer as n from search_entries where conversation_id = $1',
    [conversationId],
  );
  expect(entries.rows[0].n).toBe(2);
  await handOver('mine');
  expect(await found(other)).toEqual(NOTHING);
  expect(await found(mine)).toEqual(ALL);
});

test('[P-02] two desks whose messages share a part of the index never see each other’s', async () => {
  const { pool } = server.app.db;
  await server.asOwner(`create or replace function search_key(p_alias text, p_kind text) returns text language sql immutable
    return 'same' || case p_kind when 'message' then ':' else '~' end`);
  await pool.query('delete from search_heads');
  expect(await found(other)).toEqual(NOTHING);
  expect(await found(mine)).toEqual(ALL);
});
