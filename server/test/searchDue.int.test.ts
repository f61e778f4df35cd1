import { SEARCH_HITS_MAX } from '@settee/protocol/model/search';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { NEWEST_CONVERSATIONS, NEWEST_MESSAGES, readQuery, SESSION } from '../src/db/search/search.ts';
import { markMissed } from '../src/db/search/searchDue.ts';
import { DUE, OPEN_BEHIND, SLICE_SESSION } from '../src/db/search/searchIndex.ts';
import { explain } from './explain.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { indexAll } from './indexAll.ts';
import { createAdministrator, createChat, createStaff, type Person, sendOver, watchAs } from './people.ts';
import { soon } from './soon.ts';
import { writeConversations } from './writtenConversations.ts';

let server: TestServer;
let admin: Person;
beforeAll(async () => {
  server = await startTestServer();
  admin = await createAdministrator(server);
});
afterAll(() => server.close());

/** The numbers of messages and conversations found. A busy machine may need more than the time of one search. */
function found(person: Person, words: string): Promise<number[]> {
  return vi.waitFor(async () => {
    const { body } = await person.call('GET', `/search?q=${words}`);
    expect(body.complete).toBe(true);
    return [body.messages.length, body.conversations.length];
  }, soon);
}

const close = (person: Person, conversationId: string) =>
  person.call('PUT', `/conversations/${conversationId}/status`, { status: 'closed' });

/** A chat that was indexed before it got this message. */
async function chatWith(alias: string, text: string) {
  const chat = await createChat(server, alias);
  await indexAll(server);
  const { socket } = await watchAs(chat.visitor, chat.conversationId);
  await sendOver(socket, chat.conversationId, text);
  socket.close();
  return chat;
}

test('a search compares open and marked conversations with the index, not all others', async () => {
  const handler = await createStaff(server, 'aged');
  const old = { alias: 'aged', conversations: 300, messages: 2, closed: true };
  await writeConversations(server, old);
  await writeConversations(server, { alias: 'aged', conversations: 4, messages: 2 });
  await indexAll(server);
  await server.asOwner('vacuum analyze search_heads, search_due, conversations');
  expect(await found(handler, 'message')).toEqual([SEARCH_HITS_MAX, 0]);
  for (const statement of [OPEN_BEHIND, DUE]) {
    const nodes = await explain(server, SLICE_SESSION, statement, ['aged', 500]);
    const rows = nodes
      .filter((node) => node['Relation Name'] !== undefined)
      .map((node) => (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)) * node['Actual Loops']);
    expect(Math.max(...rows)).toBeLessThanOrEqual(4);
  }
});

test('a common word is answered from the newest entries', async () => {
  const asked = await readQuery(server.app.db, 'aged', 'message');
  for (const statement of [NEWEST_MESSAGES, NEWEST_CONVERSATIONS]) {
    const nodes = await explain(server, SESSION, statement, [asked?.words, ['aged'], 20, 50]);
    const newest = nodes.filter((node) => node['Index Name'] === 'search_entries_newest');
    expect(newest).toHaveLength(1);
    expect(newest[0]?.['Actual Rows']).toBeLessThanOrEqual(51);
    expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
  }
});

test('[CONSOLE-46] a conversation is found as it is now, if it ended, moved, or got another name or label', async () => {
  const handler = await createStaff(server, 'ends');
  const heir = await createStaff(server, 'inherits');
  const { visitor, conversationId } = await chatWith('ends', 'a walrus');
  await close(handler, conversationId);
  expect(await found(handler, 'walrus')).toEqual([1, 0]);
  expect(await found(admin, 'walrus')).toEqual([1, 0]);

  await visitor.call('PUT', `/conversations/${conversationId}/visitorName`, { visitorName: 'Tapir' });
  expect(await found(handler, 'tapir')).toEqual([0, 1]);

  await handler.call('POST', `/conversations/${conversationId}/transfer`, { alias: 'inherits', note: '' });
  expect(await found(handler, 'walrus')).toEqual([0, 0]);
  expect(await found(heir, 'walrus')).toEqual([1, 0]);
  expect(await found(heir, 'tapir')).toEqual([0, 1]);
  expect(await found(admin, 'tapir')).toEqual([0, 1]);

  const { rows } = await server.app.db.pool.query('select invite_id as id from conversations where id = $1', [
    conversationId,
  ]);
  await admin.call('PUT', `/manage/invites/${rows[0].id}`, { label: 'Okapi', keepDays: null });
  expect(await found(heir, 'okapi')).toEqual([0, 1]);
  const { rows: left } = await server.app.db.pool.query('select from search_due');
  expect(left).toHaveLength(0);
});

test('[CONSOLE-46] what an earlier release changed without a mark is found after the check', async () => {
  const handler = await createStaff(server, 'former');
  const heir = await createStaff(server, 'latter');
  const { conversationId } = await chatWith('former', 'a numbat');
  await close(handler, conversationId);
  expect(await found(handler, 'numbat')).toEqual([1, 0]);
  await server.app.db.pool.query("update conversations set handler_alias = 'latter' where id = $1", [
    conversationId,
  ]);
  expect(await found(handler, 'numbat')).toEqual([0, 0]);
  expect(await found(heir, 'numbat')).toEqual([0, 0]);
  expect(await markMissed(server.app.db)).toBe(1);
  // A second check does not mark it twice.
  expect(await markMissed(server.app.db)).toBe(0);
  expect(await found(heir, 'numbat')).toEqual([1, 0]);
});

test('an administrator finds each message once, also if two desks share a part of the index', async () => {
  await server.asOwner(`create or replace function search_key(p_alias text, p_kind text) returns text language sql immutable
    return 'same' || case p_kind when 'message' then ':' else '~' end`);
  for (const alias of ['twin-a', 'twin-b'])
    await writeConversations(server, {
      alias,
      conversations: 2,
      messages: 1,
      text: "'a quokka'",
      name: 'Bilby',
    });
  await indexAll(server);
  expect(await found(admin, 'quokka')).toEqual([4, 0]);
  expect(await found(admin, 'bilby')).toEqual([0, 4]);
});
