import { MEDIAN_OF_MESSAGES } from '@settee/protocol/model/details';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './harness.ts';
import { createChat, createStaff, type Person } from './people.ts';
import { writeConversations } from './writtenConversations.ts';

let server: TestServer;
let handler: Person;
beforeAll(async () => {
  server = await startTestServer();
  handler = await createStaff(server, 'details');
});
afterAll(() => server.close());

const details = async (id: string) =>
  (await handler.call('GET', `/conversations/${id}/details`)).body.details;

/** Messages as sender and second: 'v0 o60' is a question and its answer a minute later. */
async function talk(script: string): Promise<string> {
  const [id = ''] = await writeConversations(server, { alias: 'details', conversations: 1, messages: 0 });
  const messages = script.split(' ').filter(Boolean);
  await server.app.db.pool.query(
    `insert into messages (conversation_id, seq, id, from_owner, author_id, created_at, text)
     select $1, n, gen_random_uuid(), starts_with(m, 'o'), gen_random_uuid(),
       timestamptz '2026-11-15 09:00Z' + substr(m, 2)::float8 * interval '1 second', m
     from unnest($2::text[]) with ordinality as t (m, n)`,
    [id, messages],
  );
  await server.app.db.pool.query('update conversations set last_seq = $2 where id = $1', [
    id,
    messages.length,
  ]);
  return id;
}

test.each([
  ['', null],
  ['v0 v5', null],
  ['o0 o5', null],
  ['v0 o60', 60_000],
  // Counted from the first unanswered message; a second answer does not count.
  ['v0 v50 o60 o90', 60_000],
  ['o0 v10 o20 v100 o130', 20_000],
  ['v0 o10 v20 o40 v50 o350', 20_000],
  // The last question has no answer yet.
  ['v0 o10 v20', 10_000],
  ['v0 o0.25', 250],
])('the median time to a reply of %j is %s', async (script, median) => {
  const id = await talk(script);
  expect(await details(id)).toMatchObject({
    medianReplyMs: median,
    messages: script.split(' ').filter(Boolean).length,
  });
});

test('a long conversation costs no more: only the newest messages count', async () => {
  // First turns of an hour each, then of a minute each. The window begins in the middle of a turn.
  const turns = (count: number, from: number, took: number) =>
    Array.from(
      { length: count },
      (_, n) => `v${from + n * 9_000} v${from + n * 9_000 + 1} o${from + n * 9_000 + took}`,
    );
  const recent = Math.ceil(MEDIAN_OF_MESSAGES / 3);
  const id = await talk([...turns(2 * recent, 0, 3_600), ...turns(recent, 1e8, 60)].join(' '));
  expect(await details(id)).toMatchObject({ medianReplyMs: 60_000, messages: 9 * recent });
  const { rows } = await server.app.db.pool.query(
    'select count(*)::integer as n from messages where conversation_id = $1',
    [id],
  );
  expect(rows[0].n).toBeGreaterThan(2 * MEDIAN_OF_MESSAGES);
});

test('details include the label, the start, and how many devices have access', async () => {
  const chat = await createChat(server, 'details');
  const second = await createChat(server, 'details');
  await second.visitor.browser.attach(chat.token, chat.code);
  const { body } = await handler.call('GET', `/conversations/${chat.conversationId}`);
  await server.app.db.pool.query(
    "update invites set label = 'Spring fair' where id = (select invite_id from conversations where id = $1)",
    [chat.conversationId],
  );
  expect(await details(chat.conversationId)).toEqual({
    inviteLabel: 'Spring fair',
    startedAt: body.conversation.createdAt,
    messages: 0,
    devices: 2,
    medianReplyMs: null,
    block: null,
  });
  await server.app.db.pool.query(
    'update devices set revoked_at = now() where conversation_id = $1 and not first',
    [chat.conversationId],
  );
  expect((await details(chat.conversationId)).devices).toBe(1);
});
