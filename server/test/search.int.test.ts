import { SEARCH_HITS_MAX, SEARCH_QUERY_MAX } from '@settee/protocol/model/search';
import { visitorLabel } from '@settee/protocol/model/visitor';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { MESSAGES, NEWEST_MESSAGES, readQuery, SESSION } from '../src/db/search/search.ts';
import { DUE, indexSlice, LOCK, OPEN_BEHIND, SLICE_SESSION, TAKE } from '../src/db/search/searchIndex.ts';
import type { Log } from '../src/log/log.ts';
import { explain } from './explain.ts';
import { fakeClock } from './fakeClock.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { indexAll } from './indexAll.ts';
import { createChat, createStaff, type Person, sendOver, watchAs } from './people.ts';
import { soon } from './soon.ts';
import { writeConversations, writeMessage } from './writtenConversations.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

type Hit = { conversationId: string; seq: number; text: string };

/** Searches an index that is already up to date. */
async function search(person: Person, words: string) {
  await indexAll(server);
  return searchAtOnce(person, words);
}

async function searchAtOnce(person: Person, words: string) {
  // A busy machine may need more than the time of one search.
  const body = await vi.waitFor(async () => {
    const reply = await person.call('GET', `/search?q=${encodeURIComponent(words)}`);
    expect([reply.status, reply.body.complete]).toEqual([200, true]);
    return reply.body;
  }, soon);
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
    ['par', 'Where is my parcel?'],
    ['my parc', 'Where is my parcel?'],
    ['parcel where', 'Where is my parcel?'],
    ['grusse strasse', 'Die Grüße aus der Straße'],
    ['GRÜßE', 'Die Grüße aus der Straße'],
    ["don't", 'don’t "quote" <b>bold</b> C:\\temp & co | more'],
    ['bold', 'don’t "quote" <b>bold</b> C:\\temp & co | more'],
    ['c:\\temp', 'don’t "quote" <b>bold</b> C:\\temp & co | more'],
    ['👍', 'thanks👍🏽 日本語を勉強'],
    ['日本', 'thanks👍🏽 日本語を勉強'],
    ['勉強', 'thanks👍🏽 日本語を勉強'],
    ['привет ежик', 'ПРИВЕТ, Ёжик'],
  ])('[CONSOLE-46] %j finds %j', async (words, text) => {
    expect((await search(handler, words)).texts).toEqual([text]);
  });

  test.each([
    // Only the last word may be incomplete.
    'par where',
    'parcel nowhere',
    '!?…',
    "' | !parcel",
    'parcel & nowhere',
    'parcel:* <-> nowhere',
    '!parcel\\',
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

test('an index that is far behind returns what it has, and says that it is incomplete', async () => {
  const handler = await createStaff(server, 'behind');
  await writeConversations(server, { alias: 'behind', conversations: 6, messages: 500 });
  const { clock } = server.app;
  let looks = 0;
  // Each reading of the clock is a second later, so there is time for one slice only.
  const now = (): number => {
    looks += 1;
    return clock.now() + looks * 1_000;
  };
  server.app.clock = { ...clock, now };
  try {
    // A busy machine may only find time for a small slice.
    await expect
      .poll(async () => {
        looks = 0;
        const { body } = await handler.call('GET', '/search?q=message');
        return [body.complete, body.messages.length];
      })
      .toEqual([false, SEARCH_HITS_MAX]);
  } finally {
    server.app.clock = clock;
  }
  await indexAll(server, 'behind');
  await search(handler, 'message 500');
});

test('gateways keep the index of watched desks up to date, also two at once', async () => {
  const clock = fakeClock(Date.now());
  const own = await startTestServer({ clock });
  const other = await own.startAnother({ clock });
  const handler = await createStaff(own, 'watched');
  const ids = await writeConversations(own, { alias: 'watched', conversations: 30, messages: 50 });
  await writeConversations(own, { alias: 'nobody-here', conversations: 1, messages: 5 });
  for (const url of [own.url, other.url]) {
    const socket = await handler.live(url);
    socket.send({ type: 'watchQueue' });
    await socket.next('queue');
  }
  const entries = async (): Promise<number> => {
    const { rows } = await own.app.db.pool.query('select count(*)::integer as n from search_entries');
    return rows[0].n;
  };
  expect(await entries()).toBe(0);
  await expect
    .poll(() => {
      clock.advance(5_000);
      return entries();
    })
    .toBe(30 * 51);
  await writeMessage(own, ids[3] ?? '', 'another one');
  await expect
    .poll(() => {
      clock.advance(5_000);
      return entries();
    })
    .toBe(30 * 51 + 1);
  const slices = Array.from({ length: 8 }, (_, at) =>
    indexSlice(own.app.db, {
      alias: 'nobody-here',
      what: at % 2 === 0 ? 'open' : 'all',
      wait: at % 3 === 0,
      ms: 10_000,
    }),
  );
  await Promise.all(slices);
  expect(await entries()).toBe(30 * 51 + 7);
  await own.close();
});

test('a search reads only the index of its own desk', async () => {
  for (let desk = 0; desk < 4; desk += 1) {
    await writeConversations(server, {
      alias: `plan-${desk}`,
      conversations: 100,
      messages: 50,
      text: "case when s.seq % 2 = 0 then 'common' else 'plain' end || ' words ' || c.n || case when c.n = 7 and s.seq = 7 then ' rarity' else '' end",
    });
  }
  await indexAll(server);
  await server.asOwner('vacuum analyze search_entries, conversations, messages');
  // Every index entry of the other three desks would show here.
  for (const [words, most] of [
    ['rarity', 1],
    ['rarity words', 1],
    ['rar', 1],
    ['words 77', 50],
    ['common', 2_500],
  ] as const) {
    const query = await readQuery(server.app.db, 'plan-1', words);
    const nodes = await explain(server, SESSION, MESSAGES, [query?.words, ['plan-1'], 20]);
    const gin = nodes.filter((node) => node['Index Name'] === 'search_entries_words');
    expect(gin, words).toHaveLength(1);
    expect(gin[0]?.['Actual Rows'], words).toBeLessThanOrEqual(most);
    expect(nodes.filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
  }
});

test('an index step reads the messages it takes and no others', async () => {
  await writeConversations(server, { alias: 'sliced', conversations: 400, messages: 50 });
  const { pool } = server.app.db;
  await pool.query(
    'insert into search_heads (conversation_id) select id from conversations on conflict do nothing',
  );
  await server.asOwner('vacuum analyze search_heads, conversations, messages');
  const { rows: behind } = await pool.query(OPEN_BEHIND, ['sliced', 500]);
  const ids = behind.map(({ id }) => id);
  expect(ids).toHaveLength(400);
  const steps = [
    await explain(server, SLICE_SESSION, OPEN_BEHIND, ['sliced', 500]),
    await explain(server, SLICE_SESSION, DUE, ['sliced', 500]),
    await explain(server, SLICE_SESSION, LOCK(true), [ids]),
    await explain(server, SLICE_SESSION, LOCK(false), [ids]),
    await explain(server, SLICE_SESSION, TAKE, [ids, 500, [''], 40_000]),
  ];
  expect(steps.flat().filter((node) => node['Node Type'] === 'Seq Scan')).toEqual([]);
  const read = (steps.at(-1) ?? []).filter((node) => node['Relation Name']?.startsWith('messages_'));
  const rows = read.reduce((sum, node) => sum + node['Actual Rows'] * node['Actual Loops'], 0);
  expect(Math.round(rows)).toBe(500);
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
  const query = await readQuery(server.app.db, 'everywhere', 'heron');
  const asked = [query?.words, ['everywhere'], SEARCH_HITS_MAX];
  const { rows: newest } = await pool.query(NEWEST_MESSAGES, [...asked, 50_000]);
  expect(newest).toHaveLength(SEARCH_HITS_MAX);
  expect(newest).toEqual((await pool.query(MESSAGES, asked)).rows);
});

test('[CONSOLE-46] search text is in no log, not even when the search fails', async () => {
  const handler = await createStaff(server, 'quiet');
  const lines: string[] = [];
  const { log } = server.app;
  const write = (fields: unknown, event: string): void =>
    void lines.push(`${JSON.stringify(fields)} ${event}`);
  server.app.log = { info: write, warn: write, error: write } satisfies Log;
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
