import { SEARCH_HITS_MAX, SEARCH_QUERY_MAX } from '@settee/protocol/model/search';
import { visitorLabel } from '@settee/protocol/model/visitor';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Log } from '../../src/platform/log/log.ts';
import { MESSAGES, NEWEST_MESSAGES, readQuery } from '../../src/search/search.store.ts';
import { SearchQueue, type SearchRun } from '../../src/search/searchQueue.ts';
import { fakeClock } from '../support/fakeClock.ts';
import { startTestServer, type TestServer } from '../support/harness.ts';
import { openTransaction } from '../support/openTransaction.ts';
import {
  createAdministrator,
  createChat,
  createStaff,
  type Person,
  sendOver,
  watchAs,
  watchQueue,
} from '../support/people.ts';
import { completely, indexAll, writeConversations, writeMessage } from '../support/writtenConversations.ts';

let server: TestServer;
let admin: Person;
beforeAll(async () => {
  server = await startTestServer();
  admin = await createAdministrator(server);
});
afterAll(() => server.close());

/** The lines of the log, from now on. */
function logLines(): string[] {
  const lines: string[] = [];
  const write = (fields: unknown, event: string): void =>
    void lines.push(`${JSON.stringify(fields)} ${event}`);
  server.app.log = { info: write, warn: write, error: write } satisfies Log;
  return lines;
}

type Hit = { conversationId: string; seq: number; text: string };

/** Searches an index that is already up to date. */
async function search(person: Person, words: string) {
  await indexAll(server);
  return searchAtOnce(person, words);
}

/** The numbers of messages and conversations found. */
async function found(person: Person, words: string): Promise<number[]> {
  const { messages, conversations } = await searchAtOnce(person, words);
  return [messages.length, conversations.length];
}

async function countEntries(on = server): Promise<number> {
  const { rows } = await on.app.db.pool.query('select count(*)::integer as n from search_entries');
  return rows[0].n;
}

/** Makes the extraction of words fail in this way. */
async function breakWords(on: TestServer, statement: string): Promise<void> {
  await on.asOwner(
    `alter function search_vector(text, text) rename to search_vector_as_it_was;
     create function search_vector(p_key text, p_text text) returns tsvector language plpgsql as $$
     begin ${statement}; return search_vector_as_it_was(p_key, p_text); end $$`,
  );
}

async function searchAtOnce(person: Person, words: string) {
  const { body } = await completely(() => person.call('GET', `/search?q=${encodeURIComponent(words)}`));
  return {
    texts: body.messages.map(({ text }: Hit) => text) as string[],
    messages: body.messages as Hit[],
    conversations: body.conversations.map((hit: Hit) => hit.conversationId) as string[],
    body,
  };
}

describe('matching', () => {
  let handler: Person;
  let conversationId: string;
  beforeAll(async () => {
    handler = await createStaff(server, 'words');
    [conversationId = ''] = await writeConversations(server, {
      alias: 'words',
      conversations: 1,
      messages: 0,
      name: 'Léa Straße',
      label: 'Spring fair, stand 4',
    });
    for (const text of [
      'Where is my parcel?',
      'Die Grüße aus der Straße',
      'don’t "quote" <b>bold</b> C:\\temp & co | more',
      'thanks👍🏽 日本語を勉強',
      'ПРИВЕТ, Ёжик',
      'مرحبا، كيف حالك؟',
      `long ${'x'.repeat(3_900)}`,
    ])
      await writeMessage(server, conversationId, text);
  });

  test('[CONSOLE-46] a message sent a moment ago is found, with all that a list shows of it', async () => {
    const chat = await createChat(server, 'words');
    const { socket } = await watchAs(chat.visitor, chat.conversationId);
    const { seq, createdAt } = await sendOver(socket, chat.conversationId, 'A kingfisher!');
    socket.close();
    const { body } = await searchAtOnce(handler, 'kingfisher');
    expect(body.messages).toEqual([
      {
        conversationId: chat.conversationId,
        visitorId: chat.visitor.browser.visitorId,
        visitorName: '',
        status: 'open',
        seq,
        sender: 'visitor',
        author: null,
        text: 'A kingfisher!',
        createdAt,
      },
    ]);
  });

  test.each([
    ['PARCEL', 'Where is my parcel?'],
    ['my parc', 'Where is my parcel?'],
    ['parcel where', 'Where is my parcel?'],
    ['grusse strasse', 'Die Grüße aus der Straße'],
    ['مرحبا كيف', 'مرحبا، كيف حالك؟'],
    ["don't", 'don’t "quote" <b>bold</b> C:\\temp & co | more'],
    ['c:\\temp', 'don’t "quote" <b>bold</b> C:\\temp & co | more'],
    ['👍', 'thanks👍🏽 日本語を勉強'],
    ['日本', 'thanks👍🏽 日本語を勉強'],
    ['привет ежик', 'ПРИВЕТ, Ёжик'],
  ])('[CONSOLE-46] %j finds %j', async (words, text) => {
    expect((await search(handler, words)).texts).toEqual([text]);
  });

  test.each([
    // Only the last word may be incomplete.
    'par where',
    '!?…',
    "' | !parcel",
    'parcel:* <-> nowhere',
    '\0',
    "'';drop table messages;--",
    '(((',
  ])('[CONSOLE-46] no input is an operator: %j', async (words) => {
    const { texts } = await search(handler, words);
    expect(texts).toEqual(words.includes('!parcel') ? ['Where is my parcel?'] : []);
  });

  test('[CONSOLE-46] a query is at most 200 characters and not blank', async () => {
    const long = 'x'.repeat(SEARCH_QUERY_MAX);
    expect((await search(handler, long)).messages).toHaveLength(1);
    for (const words of [`${long}x`, '', '   '])
      expect((await handler.call('GET', `/search?q=${encodeURIComponent(words)}`)).status).toBe(400);
    await search(handler, 'a '.repeat(SEARCH_QUERY_MAX / 2));
    await search(handler, '🙂'.repeat(SEARCH_QUERY_MAX / 2));
  });

  test('[CONSOLE-46] conversations are found by name, by label, and by the label of those without a name', async () => {
    const nameless = await createChat(server, 'words');
    const label = visitorLabel(nameless.visitor.browser.visitorId);
    for (const words of ['lea', 'LÉA stra', 'strasse', 'spring', 'fair lea', 'stand 4'])
      expect((await search(handler, words)).conversations, words).toEqual([conversationId]);
    for (const words of [label, label.slice(0, 8), label.slice(2).toLowerCase()])
      expect((await search(handler, words)).conversations, words).toEqual([nameless.conversationId]);
    expect((await search(handler, 'pring')).conversations).toEqual([]);

    await nameless.visitor.call('PUT', `/conversations/${nameless.conversationId}/visitorName`, {
      visitorName: 'Zoë Quill',
    });
    expect((await searchAtOnce(handler, 'zoe')).conversations).toEqual([nameless.conversationId]);
    expect((await search(handler, label)).conversations).toEqual([]);
    expect((await search(handler, 'lea')).body.conversations[0]).toMatchObject({
      visitorName: 'Léa Straße',
      inviteLabel: 'Spring fair, stand 4',
      status: 'open',
      lastMessageAt: expect.any(Number),
    });
  });

  test('[CONSOLE-46] results are newest first, limited per kind, include closed ones, and have no duplicates', async () => {
    const staff = await createStaff(server, 'many');
    const ids = await writeConversations(server, {
      alias: 'many',
      conversations: SEARCH_HITS_MAX + 5,
      messages: 2,
      text: "'otter otter ' || s.seq",
      name: 'Otter',
      closed: true,
    });
    const newest = await writeMessage(server, ids[7] ?? '', 'one more otter');
    const { messages, conversations, body } = await search(staff, 'otter');
    expect(messages[0]).toMatchObject({ conversationId: ids[7], seq: newest });
    expect(body.conversations[0]).toMatchObject({ conversationId: ids[7], status: 'closed' });
    expect([messages.length, conversations.length]).toEqual([SEARCH_HITS_MAX, SEARCH_HITS_MAX]);
    expect(new Set(messages.map((hit) => `${hit.conversationId} ${hit.seq}`)).size).toBe(SEARCH_HITS_MAX);
    const times = body.messages.map(({ createdAt }: { createdAt: number }) => createdAt);
    expect(times).toEqual(times.toSorted((a: number, b: number) => b - a));
  });
});

test('[CONSOLE-46] for a very common word, the way without the index finds the same newest messages', async () => {
  await writeConversations(server, {
    alias: 'everywhere',
    conversations: 300,
    messages: 20,
    text: "case when (c.n + s.seq) % 3 = 0 then 'heron' else 'egret' end",
  });
  const { pool } = server.app.db;
  // Each conversation ends at another time, some long before others began.
  await pool.query(`
    with moved as (
      select id, row_number() over (order by md5(id::text)) as n from conversations where handler_alias = 'everywhere'
    ), messaged as (
      update messages m set created_at = now() - (n.n * 40 - m.seq) * interval '1 second' from moved n
      where m.conversation_id = n.id returning m.conversation_id, m.seq, m.created_at
    )
    update conversations c set last_message_at = m.created_at from messaged m
    where c.id = m.conversation_id and m.seq = c.last_seq`);
  await indexAll(server, 'everywhere');
  const query = await readQuery(server.app.db, ['everywhere'], 'heron');
  const asked = [query?.words, ['everywhere'], SEARCH_HITS_MAX];
  const { rows: newest } = await pool.query(NEWEST_MESSAGES, [...asked, 50_000]);
  expect(newest).toHaveLength(SEARCH_HITS_MAX);
  expect(newest).toEqual((await pool.query(MESSAGES, asked)).rows);
});

/** One search, as far as the index is. */
async function lookUp(person: Person, words: string): Promise<{ found: number; complete: boolean }> {
  const { status, body } = await person.call('GET', `/search?q=${words}`);
  expect(status).toBe(200);
  return { found: body.messages.length, complete: body.complete };
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

describe('isolation', () => {
  let mine: Person;
  let other: Person;
  let conversationId: string;
  beforeAll(async () => {
    mine = await createStaff(server, 'mine');
    other = await createStaff(server, 'other');
    const chat = await createChat(server, 'mine');
    ({ conversationId } = chat);
    await chat.visitor.call('PUT', `/conversations/${conversationId}/visitorName`, {
      visitorName: 'Wolverine',
    });
    await server.app.db.pool.query(
      "update invites set label = 'Wolverine fair' where id = (select invite_id from conversations where id = $1)",
      [conversationId],
    );
    await writeMessage(server, conversationId, 'a wolverine was here');
  });
  const ALL = [1, 1];
  const NOTHING = [0, 0];
  const wolverines = (person: Person) => found(person, 'wolverine');

  test('[P-02] a handler’s search covers their desk, an administrator’s every desk, and without a desk nothing', async () => {
    expect(await wolverines(mine)).toEqual(ALL);
    expect(await wolverines(other)).toEqual(NOTHING);
    expect(await wolverines(admin)).toEqual(ALL);
    // An administrator with a desk still sees everything.
    const { pool } = server.app.db;
    await pool.query("update staff set alias = 'other' where role = 'admin'");
    expect(await wolverines(admin)).toEqual(ALL);
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
    expect(await wolverines(mine)).toEqual(ALL);
    await handOver('other');
    // The old desk's index still contains every word.
    const stale = await pool.query(
      "select count(*)::integer as n from search_entries where words @@ (search_query('{mine}', 'message', 'wolverine'))::tsquery",
    );
    expect(stale.rows[0].n).toBe(1);
    expect(await wolverines(mine)).toEqual(NOTHING);
    expect(await wolverines(other)).toEqual(ALL);
    expect(await wolverines(mine)).toEqual(NOTHING);
    expect(await wolverines(admin)).toEqual(ALL);
    const entries = await pool.query(
      'select count(*)::integer as n from search_entries where conversation_id = $1',
      [conversationId],
    );
    expect(entries.rows[0].n).toBe(2);
    await handOver('mine');
    expect(await wolverines(other)).toEqual(NOTHING);
    expect(await wolverines(mine)).toEqual(ALL);
  });
});

type Running = { name: string; turn: SearchRun; end: () => void };

/** Searches that run until the test ends them. */
function heldSearches() {
  const queue = new SearchQueue();
  const running: Running[] = [];
  const start = (session: string, name = session) =>
    queue.run(
      session,
      (turn) =>
        new Promise<string>((resolve) => {
          const own: Running = {
            name,
            turn,
            end() {
              running.splice(running.indexOf(own), 1);
              resolve(`found ${name}`);
            },
          };
          running.push(own);
        }),
    );
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  const names = async () => {
    await settled();
    return running.map(({ name }) => name);
  };
  return { start, running, names };
}

test('a search that fails frees its place, and a full queue is reported', async () => {
  const queue = new SearchQueue();
  await expect(queue.run('a', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  const { start, running, names } = heldSearches();
  const answers = Array.from({ length: 23 }, (_, n) => start(`s${n}`));
  await expect(start('one more')).rejects.toMatchObject({ code: 'too_many' });
  while ((await names()).length > 0) running[0]?.end();
  expect(await Promise.all(answers)).toHaveLength(23);
});

test('gateways keep the index of watched desks up to date, also two at once and beside a desk that cannot be indexed', async () => {
  const clock = fakeClock(Date.now());
  const own = await startTestServer({ clock });
  const other = await own.startAnother({ clock });
  await breakWords(own, "if p_text = 'poison' then raise exception 'no'; end if");
  // One broken desk before it and one after it, whatever the order.
  let ids: string[] = [];
  for (const alias of ['broken-a', 'fine', 'broken-b']) {
    const handler = await createStaff(own, alias);
    const text = alias === 'fine' ? "'message'" : "'poison'";
    const written = await writeConversations(own, { alias, conversations: 10, messages: 50, text });
    if (alias === 'fine') ids = written;
    for (const url of [own.url, other.url]) await watchQueue(handler, url);
  }
  await writeConversations(own, { alias: 'nobody-here', conversations: 1, messages: 5 });
  const kept = () => {
    clock.advance(5_000);
    return countEntries(own);
  };
  await expect.poll(kept).toBe(10 * 51);
  await writeMessage(own, ids[3] ?? '', 'message');
  await expect.poll(kept).toBe(10 * 51 + 1);
  await own.close();
});

test('a search waits neither for another gateway’s step nor for an index that cannot be built', async () => {
  const handler = await createStaff(server, 'held');
  const [held = ''] = await writeConversations(server, { alias: 'held', conversations: 1, messages: 3 });
  await indexAll(server);
  expect(await found(handler, 'message')).toEqual([3, 0]);
  await writeMessage(server, held, 'message of a moment ago');
  const holding = await openTransaction(server);
  await holding.query('select from search_heads for update');
  expect(await lookUp(handler, 'message')).toEqual({ found: 3, complete: false });
  await holding.rollback();

  const { log } = server.app;
  const lines = logLines();
  await breakWords(server, "raise exception 'cannot read %', p_text");
  await expect
    .poll(async () => [await lookUp(handler, 'message'), lines[0]])
    .toEqual([{ found: 3, complete: false }, '{"code":"P0001"} search index behind']);
  expect(new Set(lines).size).toBe(1);
  server.app.log = log;
  await server.asOwner(
    'drop function search_vector(text, text); alter function search_vector_as_it_was(text, text) rename to search_vector',
  );
});

test('[P-02] two desks whose messages share a part of the index never see each other’s, and an administrator finds each once', async () => {
  const staff = [await createStaff(server, 'twin-a'), await createStaff(server, 'twin-b')];
  await server.asOwner(`create or replace function search_key(p_alias text, p_kind text) returns text language sql immutable
    return 'same' || case p_kind when 'message' then ':' else '~' end`);
  const some = { conversations: 2, messages: 1, text: "'a quokka'", name: 'Bilby' };
  for (const alias of ['twin-a', 'twin-b']) await writeConversations(server, { ...some, alias });
  await indexAll(server);
  for (const each of staff) expect(await found(each, 'quokka')).toEqual([2, 0]);
  expect(await found(admin, 'quokka')).toEqual([4, 0]);
  expect(await found(admin, 'bilby')).toEqual([0, 4]);
});

test('[CONSOLE-46] search text is in no log, not even when the search fails', async () => {
  const handler = await createStaff(server, 'quiet');
  const { log } = server.app;
  const lines = logLines();
  try {
    await search(handler, 'confidential');
    await server.asOwner(`create or replace function search_fold(p_text text) returns text language plpgsql as
      $$ begin raise exception 'cannot fold %', p_text; end $$`);
    const reply = await handler.call('GET', '/search?q=confidential');
    expect(reply.body).toMatchObject({ success: false, code: 'unavailable' });
    expect(lines).toEqual(['{"code":"P0001"} search failed']);
  } finally {
    server.app.log = log;
  }
});
