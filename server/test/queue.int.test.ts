import { CLOSE_TRY_LATER } from '@settee/protocol/frames/down';
import { disclosureOf } from '@settee/protocol/model/brand';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { setBrand } from '../src/actions/profile/setBrand.ts';
import { markSeen } from '../src/db/conversation/conversations.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { openTransaction } from './openTransaction.ts';
import { createChat, createStaff, sendOver, watchAs } from './people.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('[S-10] the queue lists only the alias’s open conversations, newest message first', async () => {
  const handler = await createStaff(server, 's-ten');
  await createStaff(server, 'elsewhere');
  const chats = [];
  for (let n = 0; n < 4; n += 1) chats.push(await createChat(server, 's-ten'));
  await createChat(server, 'elsewhere');
  const [first, second, third, fourth] = chats.map((chat) => chat.conversationId);
  for (const at of [1, 2, 0, 3]) {
    const chat = chats[at];
    if (chat === undefined) throw new Error('no chat');
    const { socket } = await watchAs(chat.visitor, chat.conversationId);
    await sendOver(socket, chat.conversationId, `from ${at}`);
    socket.close();
  }
  await handler.call('PUT', `/conversations/${fourth}/status`, { status: 'closed' });
  const { rows } = (await handler.call('GET', '/queue')).body;
  expect(rows.map((row: { conversationId: string }) => row.conversationId)).toEqual([first, third, second]);
  const socket = await handler.live();
  socket.send({ type: 'watchQueue' });
  expect((await socket.next('queue')).rows).toEqual(rows);
  socket.close();
});

test('[K-05] a row shows the last message, who wrote it and how many are unread', async () => {
  const handler = await createStaff(server, 'k-five');
  const { visitor, conversationId } = await createChat(server, 'k-five');
  const queue = await handler.live();
  queue.send({ type: 'watchQueue' });
  await queue.next('queue');
  const { socket } = await watchAs(visitor, conversationId);
  await sendOver(socket, conversationId, 'one');
  await sendOver(socket, conversationId, 'x'.repeat(300));
  const changed = await queue.next('queueChange', ({ rows }) => rows[0]?.head === 2);
  expect(changed.rows[0]).toMatchObject({
    conversationId,
    lastMessage: 'x'.repeat(140),
    lastSender: 'visitor',
    unread: 2,
  });
  expect((await handler.call('GET', '/queue')).body.rows[0]).toEqual(changed.rows[0]);

  const desk = await watchAs(handler, conversationId);
  desk.socket.send({ type: 'seen', conversationId, seq: 1 });
  // After the first message there was one unread too, so check the head as well.
  await queue.next('queueChange', ({ rows }) => rows[0]?.unread === 1 && rows[0].head === 2);
  desk.socket.send({ type: 'seen', conversationId, seq: 2 });
  await queue.next('queueChange', ({ rows }) => rows[0]?.unread === 0);

  await handler.call('PUT', `/conversations/${conversationId}/status`, { status: 'blocked' });
  expect((await queue.next('queueChange', ({ gone }) => gone.length > 0)).gone).toEqual([conversationId]);
  for (const each of [queue, socket, desk.socket]) each.close();
});

test('[K-05] a message stored while a seen mark waits for the row stays unread', async () => {
  const handler = await createStaff(server, 'k-five-race');
  const { visitor, conversationId } = await createChat(server, 'k-five-race');
  const { socket } = await watchAs(visitor, conversationId);
  for (const text of ['one', 'two', 'three']) await sendOver(socket, conversationId, text);
  const row = async () => (await handler.call('GET', '/queue')).body.rows[0];
  const { db } = server.app;
  const seen = (seq: number) => markSeen(db, { conversationId, side: 'owner', alias: 'k-five-race' }, seq);
  await seen(1);
  expect(await row()).toMatchObject({ head: 3, unread: 2 });

  const storing = await openTransaction(server);
  await storing.query(
    'select from append_messages(array[$1::uuid], array[gen_random_uuid()], array[false], array[$2::uuid], array[null::text], array[$3], array[null::integer], null, false)',
    [conversationId, visitor.browser.visitorId, 'four'],
  );
  const marked = seen(3);
  await expect
    .poll(async () => {
      const { rows } = await db.pool.query(
        "select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'",
      );
      return rows.length;
    })
    .toBe(1);
  await storing.commit();
  await marked;
  expect(await row()).toMatchObject({ head: 4, unread: 1 });
  await seen(4);
  expect(await row()).toMatchObject({ head: 4, unread: 0 });
  socket.close();
});

test('[D-05] brand settings have defaults, and an image’s address has its version', async () => {
  const fresh = await startTestServer();
  expect((await fresh.request('GET', '/brand')).body.brand).toMatchObject({
    displayName: 'Settee',
    avatarUrl: null,
    verified: true,
  });
  await setBrand(fresh.app, { displayName: 'Mara Lindqvist', avatarUrl: '/avatars/mara.webp' }, 'test');
  const { brand } = (await fresh.request('GET', '/brand')).body;
  expect(brand).toMatchObject({ displayName: 'Mara Lindqvist', verified: true });
  expect(brand.avatarUrl).toBe(`/avatars/mara.webp?v=${brand.updatedAt}`);
  expect(disclosureOf(brand)).toBe('Replies come from Mara Lindqvist or their team.');
  await setBrand(fresh.app, { disclosure: '{name} answers with two friends.' }, 'test');
  expect(disclosureOf((await fresh.request('GET', '/brand')).body.brand)).toBe(
    'Mara Lindqvist answers with two friends.',
  );
  await fresh.close();
});

test('[QUEUE-27] [D-03] a handler at a desk shows as online everywhere, and leaving shows too', async () => {
  // Nobody else may be at a desk: handlers of earlier tests are still within their grace period.
  const server = await startTestServer();
  const handler = await createStaff(server, 'present');
  const { visitor } = await createChat(server, 'present');
  const watcher = await visitor.live();
  expect((await handler.call('GET', '/handlers/me')).body.handler).toEqual({
    alias: 'present',
    fcmToken: null,
    online: false,
  });
  const desk = await handler.live();
  await watcher.next('presence', ({ online }) => online);
  expect((await handler.call('GET', '/handlers/me')).body.handler.online).toBe(true);
  expect((await server.request('GET', '/brand')).body.online).toBe(true);
  desk.close();
  await watcher.next('presence', ({ online }) => !online);
  watcher.close();
  await server.close();
});

test('[QUEUE-27] the presence of a crashed gateway ends with its lease', async () => {
  const handler = await createStaff(server, 'crashed');
  await server.app.db.pool.query(
    "insert into presence (alias, gateway_id, expires_at) values ('crashed', gen_random_uuid(), now() + interval '1 minute')",
  );
  expect((await handler.call('GET', '/handlers/me')).body.handler.online).toBe(true);
  // The lease expires without any notice.
  await server.app.db.pool.query("update presence set expires_at = now() where alias = 'crashed'");
  expect((await handler.call('GET', '/handlers/me')).body.handler.online).toBe(false);
});

test('a console whose queue cannot be read is asked to reconnect', async () => {
  const handler = await createStaff(server, 'unread-queue');
  const socket = await handler.live();
  const { db } = server.app;
  const query = db.query.bind(db) as (...parts: unknown[]) => Promise<unknown>;
  const failing = (...parts: unknown[]): Promise<unknown> =>
    (parts[0] as { name?: string }).name === 'queue'
      ? Promise.reject(new Error('the database is down'))
      : query(...parts);
  Object.assign(db, { query: failing });
  try {
    socket.send({ type: 'watchQueue' });
    await socket.until(() => socket.closed !== undefined, 'the socket stays open');
  } finally {
    Object.assign(db, { query });
  }
  expect(socket.closed?.code).toBe(CLOSE_TRY_LATER);
  const again = await handler.live();
  again.send({ type: 'watchQueue' });
  expect((await again.next('queue')).rows).toEqual([]);
  again.close();
});
