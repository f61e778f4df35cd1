import { CONVERSATION_COUNT_MAX, FIND_MAX } from '@settee/protocol/calls/conversationAdminCalls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './harness.ts';
import { completely } from './indexAll.ts';
import { createAdministrator, createChat, createStaff, type Person, sendOver, watchAs } from './people.ts';
import { writeConversations } from './writtenConversations.ts';

let server: TestServer;
let admin: Person;
beforeAll(async () => {
  server = await startTestServer();
  admin = await createAdministrator(server);
  await createStaff(server, 'ms-east');
  await createStaff(server, 'ms-west');
});
afterAll(() => server.close());

const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await server.app.db.pool.query<Row>(text, values)).rows;

const search = (person: Person, words: string) =>
  person.call('GET', `/manage/messages?q=${encodeURIComponent(words)}`);

async function send(alias: string, text: string): Promise<string> {
  const { visitor, conversationId } = await createChat(server, alias);
  const { socket } = await watchAs(visitor, conversationId);
  await sendOver(socket, conversationId, text);
  return conversationId;
}

test('[AUDIT-10] an administrator finds messages of every desk; the log records that, never the text', async () => {
  const first = await send('ms-east', 'The zeugma is mine');
  const second = await send('ms-west', 'Another Zeugmá, please');
  const { body } = await completely(() => search(admin, ' zeugma '));
  // Newest first, each with its desk.
  expect(body.messages).toMatchObject([
    { conversationId: second, seq: 1, sender: 'visitor', handlerAlias: 'ms-west' },
    { conversationId: first, seq: 1, text: 'The zeugma is mine', handlerAlias: 'ms-east' },
  ]);
  const lines = await query<{ action: string; target: string; details: object }>(
    "select action, target, details from audit where action in ('messages.search', 'conversation.view')",
  );
  expect(lines).toContainEqual({
    action: 'messages.search',
    target: 'messages',
    details: { length: 6, found: 2 },
  });
  // Showing a conversation in the results counts as reading it.
  for (const target of [first, second])
    expect(lines).toContainEqual(expect.objectContaining({ action: 'conversation.view', target }));
  const [{ found } = { found: 1 }] = await query<{ found: number }>(
    "select count(*)::integer as found from audit where audit::text ilike '%zeugma%'",
  );
  expect(found).toBe(0);
});

test('[AUDIT-10] a search without results is in the log too; too short, too long and no administrator are refused', async () => {
  const handler = await createStaff(server, 'ms-north');
  const { body } = await search(admin, 'nobodysaidthis');
  expect(body.messages).toEqual([]);
  const [line] = await query<{ details: object }>(
    "select details from audit where action = 'messages.search' order by id desc limit 1",
  );
  expect(line?.details).toEqual({ length: 14, found: 0 });
  expect((await search(admin, 'x')).status).toBe(400);
  expect((await search(admin, 'x'.repeat(FIND_MAX + 1))).status).toBe(400);
  expect((await search(handler, 'zeugma')).status).toBe(403);
});

test('the first page of a list has the count of each kind, at all desks or at one, up to a cap', async () => {
  await writeConversations(server, { alias: 'ms-east', conversations: 3, messages: 1 });
  await writeConversations(server, { alias: 'ms-east', conversations: 2, messages: 1, closed: true });
  await createStaff(server, 'ms-many');
  await writeConversations(server, {
    alias: 'ms-many',
    conversations: CONVERSATION_COUNT_MAX + 5,
    messages: 0,
    closed: true,
  });
  const counts = async (filter: string) =>
    (await admin.call('GET', `/manage/conversations${filter}`)).body.counts;
  const [open] = await query<{ n: number }>(
    "select count(*)::integer as n from conversations where handler_alias = 'ms-east' and status = 'open'",
  );
  const waiting = await query(
    "select 1 from conversations where handler_alias = 'ms-east' and status = 'open' and waiting_since is not null",
  );
  expect(await counts('?alias=ms-east')).toEqual({
    open: open?.n,
    waiting: waiting.length,
    closed: 2,
    blocked: 0,
  });
  // Whatever filter the page shows.
  expect(await counts('?alias=ms-east&show=closed')).toEqual(await counts('?alias=ms-east'));
  expect(await counts('?alias=ms-many')).toMatchObject({ open: 0, closed: CONVERSATION_COUNT_MAX });
  expect((await counts('')).closed).toBe(CONVERSATION_COUNT_MAX);
  expect(await counts('?q=zeugma')).toBeUndefined();
  const { body } = await admin.call('GET', '/manage/conversations?alias=ms-many');
  expect(await counts(`?alias=ms-many&before=${body.next}`)).toBeUndefined();
});
