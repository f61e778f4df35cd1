import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from './harness.ts';
import { holdAnswer } from './heldQueries.ts';
import { createAdministrator, createChat, createStaff, type Person, sendOver, watchAs } from './people.ts';

// No sweep: it must not find anything here.
let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ config: { sweepSeconds: 3_600 } });
});
afterAll(() => server.close());

async function watchQueue(handler: Person, url?: string) {
  const socket = await handler.live(url);
  socket.send({ type: 'watchQueue' });
  const { rows } = await socket.next('queue');
  return { socket, rows };
}

test('a message that arrives while its row is being read again stays in the queue', async () => {
  const handler = await createStaff(server, 'reread');
  const { visitor, conversationId } = await createChat(server, 'reread');
  const { socket } = await watchAs(visitor, conversationId);
  await sendOver(socket, conversationId, 'one');
  const desk = await watchQueue(handler);

  const held = holdAnswer(server.app, 'queue-rows');
  await handler.call('PUT', `/conversations/${conversationId}/unread`, { unread: true });
  await held.asked;
  await sendOver(socket, conversationId, 'two');
  held.release();
  const { rows } = await desk.socket.next('queueChange', (change) => change.rows[0]?.head === 2);
  expect(rows[0]).toMatchObject({ lastMessage: 'two', unread: 2 });
  // The change that caused the read arrives too.
  await desk.socket.next('queueChange', (change) => change.rows[0]?.markedUnread === true);
  for (const each of [socket, desk.socket]) each.close();
});

test('a message that arrives while another console opens the queue shows in both', async () => {
  const handler = await createStaff(server, 'opening');
  const { visitor, conversationId } = await createChat(server, 'opening');
  const { socket } = await watchAs(visitor, conversationId);
  await sendOver(socket, conversationId, 'one');
  const first = await watchQueue(handler);

  const held = holdAnswer(server.app, 'queue');
  const second = await handler.live();
  second.send({ type: 'watchQueue' });
  await held.asked;
  await sendOver(socket, conversationId, 'two');
  held.release();
  expect((await second.next('queue')).rows[0]).toMatchObject({ head: 2, lastMessage: 'two' });
  await first.socket.next('queueChange', (change) => change.rows[0]?.head === 2);
  // The desk knows the message too: the next one follows without a read.
  await sendOver(socket, conversationId, 'three');
  await second.next('queueChange', (change) => change.rows[0]?.head === 3);
  for (const each of [socket, first.socket, second]) each.close();
});

test('a reply whose row cannot be read shows at once, and its author after the next read', async () => {
  const handler = await createStaff(server, 'unread-row');
  const { visitor, conversationId } = await createChat(server, 'unread-row');
  const other = await createChat(server, 'unread-row');
  const { socket } = await watchAs(visitor, conversationId);
  await sendOver(socket, conversationId, 'one');
  const desk = await watchQueue(handler);
  const { socket: own } = await watchAs(handler, conversationId);

  const held = holdAnswer(server.app, 'queue-rows');
  await sendOver(own, conversationId, 'two');
  await held.asked;
  held.release(new Error('the connection broke'));
  const isNew = ({ rows }: { rows: readonly { head: number }[] }) => rows.some(({ head }) => head === 2);
  expect((await desk.socket.next('queueChange', isNew)).rows).toMatchObject([{ lastAuthor: null }]);
  await handler.call('PUT', `/conversations/${other.conversationId}/unread`, { unread: true });
  const rows = (await desk.socket.next('queueChange', isNew)).rows;
  expect(rows.find((row) => row.head === 2)?.lastAuthor).not.toBeNull();
  for (const each of [socket, own, desk.socket]) each.close();
});

test('[PRIVACY-15] a row names the staff member who wrote last, and nobody once the visitor has', async () => {
  const handler = await createStaff(server, 'authors');
  const { visitor, conversationId } = await createChat(server, 'authors');
  const admin = await createAdministrator(server);
  const desk = await watchQueue(handler);
  const { socket: own } = await watchAs(handler, conversationId);
  await sendOver(own, conversationId, 'from the handler');
  const named = await desk.socket.next('queueChange', ({ rows }) => rows[0]?.lastAuthor != null);
  const { rows } = await server.app.db.pool.query<{ name: string }>(
    `select name from staff where alias = 'authors'`,
  );
  expect(named.rows[0]?.lastAuthor).toBe(rows[0]?.name.split(' ')[0]);

  const { socket: other } = await watchAs(admin, conversationId);
  await sendOver(other, conversationId, 'from a colleague');
  await desk.socket.next('queueChange', (change) => change.rows[0]?.lastAuthor === 'Admin');
  expect((await handler.call('GET', '/queue')).body.rows[0].lastAuthor).toBe('Admin');

  const { socket, watched } = await watchAs(visitor, conversationId);
  expect(JSON.stringify(watched)).not.toContain('Admin');
  await sendOver(socket, conversationId, 'from the visitor');
  await desk.socket.next('queueChange', ({ rows: [row] }) => row?.head === 3 && row.lastAuthor === null);
  for (const each of [own, other, socket, desk.socket]) each.close();
});

test('a snoozed conversation says until when, and returns as soon as the visitor writes', async () => {
  const handler = await createStaff(server, 'snooze');
  const { visitor, conversationId } = await createChat(server, 'snooze');
  const { socket } = await watchAs(visitor, conversationId);
  await sendOver(socket, conversationId, 'one');
  const desk = await watchQueue(handler);
  const path = `/conversations/${conversationId}/snooze`;
  const until = Date.now() + 3_600_000;
  const snoozedUntil = async () =>
    (await handler.call('GET', '/queue')).body.rows.map((row: { snoozedUntil: number }) => row.snoozedUntil);

  expect((await handler.call('PUT', path, { until })).status).toBe(200);
  await desk.socket.next('queueChange', ({ rows }) => rows[0]?.snoozedUntil === until);
  const { socket: own } = await watchAs(handler, conversationId);
  await sendOver(own, conversationId, 'an answer does not end it');
  await desk.socket.next('queueChange', ({ rows: [row] }) => row?.head === 2 && row.snoozedUntil === until);
  expect(await snoozedUntil()).toEqual([until]);

  await sendOver(socket, conversationId, 'two');
  await desk.socket.next('queueChange', ({ rows: [row] }) => row?.head === 3 && row.snoozedUntil === null);
  expect(await snoozedUntil()).toEqual([null]);

  await handler.call('PUT', path, { until });
  await handler.call('PUT', path, { until: null });
  expect(await snoozedUntil()).toEqual([null]);

  await handler.call('PUT', path, { until });
  await handler.call('PUT', `/conversations/${conversationId}/status`, { status: 'closed' });
  expect((await handler.call('PUT', path, { until })).body.error).toBeDefined();
  await handler.call('PUT', `/conversations/${conversationId}/status`, { status: 'open' });
  expect(await snoozedUntil()).toEqual([null]);
  const tooLong = { until: Date.now() + 32 * 24 * 3_600_000 };
  expect((await handler.call('PUT', path, tooLong)).status).toBe(400);
  for (const each of [own, socket, desk.socket]) each.close();
});

test('[QUEUE-27] a row is lit while the visitor has a page open, at any gateway', async () => {
  const handler = await createStaff(server, 'lit');
  const { visitor, conversationId } = await createChat(server, 'lit');
  const other = await server.startAnother();
  // The visitor is there before any console.
  const { socket } = await watchAs(visitor, conversationId, other.url);
  const here = await handler.live();
  here.send({ type: 'watchQueue' });
  await here.next('visitors', (frame) => frame.here.includes(conversationId));

  // A second page, at this gateway: the visitor leaves when both are closed.
  const second = await watchAs(visitor, conversationId);
  socket.close();
  second.socket.close();
  await here.next('visitors', ({ left }) => left.includes(conversationId));
  const again = await watchAs(visitor, conversationId);
  await here.next('visitors', (frame) => frame.here.includes(conversationId));
  expect(again.socket.received.map(({ type }) => type)).not.toContain('visitors');
  for (const each of [again.socket, here]) each.close();
});

test('[MSG-16] a second watch that fails neither refuses nor loses a message', async () => {
  const handler = await createStaff(server, 'twice');
  const { visitor, conversationId } = await createChat(server, 'twice');
  const { socket: visiting } = await watchAs(visitor, conversationId);
  const { socket } = await watchAs(handler, conversationId);

  const held = holdAnswer(server.app, 'conversation-heads');
  socket.send({ type: 'watch', conversationId, after: 0 });
  await held.asked;
  await sendOver(visiting, conversationId, 'while the watch is answered');
  held.release(new Error('the connection broke'));
  expect(await socket.next('refused')).toMatchObject({ code: 'unavailable', conversationId });
  expect((await socket.next('message')).message.text).toBe('while the watch is answered');
  await sendOver(socket, conversationId, 'after the failed watch');
  for (const each of [socket, visiting]) each.close();
});
