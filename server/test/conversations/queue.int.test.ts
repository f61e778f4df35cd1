import { randomUUID } from 'node:crypto';
import { CLOSE_TRY_LATER } from '@settee/protocol/frames/down';
import { CLOSED_PAGE, type ClosedRow, type QueueRow } from '@settee/protocol/model/conversation';
import { countQueue, QUEUE_PAGE, type QueueShow, queueKey } from '@settee/protocol/model/queue';
import { defaultSettings } from '@settee/protocol/model/staffSettings';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { markSeen } from '../../src/conversations/conversations.store.ts';
import type { LiveClient } from '../support/client.ts';
import { fakeClock } from '../support/fakeClock.ts';
import { startTestServer, type TestServer } from '../support/harness.ts';
import { holdAnswer } from '../support/heldQueries.ts';
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
import { writeConversations } from '../support/writtenConversations.ts';

// No sweep: it must not find anything here.
let server: TestServer;
let elsewhere: string;
beforeAll(async () => {
  server = await startTestServer({ config: { sweepSeconds: 3_600 } });
  elsewhere = (await server.startAnother()).url;
});
afterAll(() => server.close());

test('[QUEUE-27] [D-03] a handler at a desk shows as online everywhere, and leaving shows too', async () => {
  // The first test: nobody else is at a desk, not even within the grace period.
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
});

test('[K-05] a row shows the last message, who wrote it and how many are unread', async () => {
  const handler = await createStaff(server, 'k-five');
  const { visitor, conversationId } = await createChat(server, 'k-five');
  const { socket: queue } = await watchQueue(handler);
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
  const seen = (seq: number) => markSeen(db, { conversationId, side: 'owner', reach: ['k-five-race'] }, seq);
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

test('a console whose queue cannot be read is asked to reconnect', async () => {
  const handler = await createStaff(server, 'unread-queue');
  const socket = await handler.live();
  const held = holdAnswer(server.app, 'queue');
  socket.send({ type: 'watchQueue' });
  await held.asked;
  held.release(new Error('the database is down'));
  await socket.until(() => socket.closed !== undefined, 'the socket stays open');
  expect(socket.closed?.code).toBe(CLOSE_TRY_LATER);
  const again = await watchQueue(handler);
  expect(again.rows).toEqual([]);
  again.socket.close();
});

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
  // The visitor is there before any console.
  const { socket } = await watchAs(visitor, conversationId, elsewhere);
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

async function closed(handler: Person, before?: string): Promise<{ rows: ClosedRow[]; next: string | null }> {
  const { status, body } = await handler.call('GET', `/queue/closed${before ? `?before=${before}` : ''}`);
  expect(status).toBe(200);
  return body;
}

test('[QUEUE-29] closed and blocked conversations, newest first, in pages without gaps or duplicates', async () => {
  const handler = await createStaff(server, 'ended');
  const ids = await writeConversations(server, {
    alias: 'ended',
    conversations: 2 * CLOSED_PAGE + 10,
    messages: 1,
    closed: true,
  });
  // Thirty in the same millisecond: only their ids decide the order, not their microseconds.
  await server.app.db.pool.query(
    `update conversations c set closed_at = timestamptz '2026-11-15 09:41:00.0001' + i.at / 30 * interval '1 millisecond'
         + i.at % 7 * interval '50 microseconds',
       status = case when i.at % 4 = 0 then 'blocked' else 'closed' end
     from unnest($1::uuid[]) with ordinality as i (id, at) where c.id = i.id`,
    [ids],
  );
  const seen: ClosedRow[] = [];
  let next: string | null | undefined;
  const sizes: number[] = [];
  do {
    const page = await closed(handler, next ?? undefined);
    seen.push(...page.rows);
    sizes.push(page.rows.length);
    ({ next } = page);
  } while (next !== null);
  expect(sizes).toEqual([CLOSED_PAGE, CLOSED_PAGE, 10]);
  expect(seen.map((row) => row.conversationId).toSorted()).toEqual(ids.toSorted());
  const order = seen.map((row) => `${1e15 - row.closedAt} ${row.conversationId}`);
  expect(order).toEqual(order.toSorted());
  expect(new Set(seen.map((row) => row.status))).toEqual(new Set(['closed', 'blocked']));
  expect(seen[0]).toMatchObject({ visitorName: 'Ada', head: 1, unread: 0, closedAt: expect.any(Number) });

  // If the last page is full, there is no further page.
  await server.app.db.pool.query("update conversations set status = 'open' where id = any($1)", [
    ids.slice(0, 10),
  ]);
  const { next: second } = await closed(handler);
  expect((await closed(handler, second ?? '')).next).toBeNull();
});

test('a mark as unread shows at every console of the desk, at every gateway, and never to the visitor', async () => {
  const handler = await createStaff(server, 'marks');
  const { visitor, conversationId } = await createChat(server, 'marks');
  const { socket: visiting } = await watchAs(visitor, conversationId);
  await sendOver(visiting, conversationId, 'hello');
  const consoles = [await watchQueue(handler), await watchQueue(handler, elsewhere)];
  const view = async () => (await visitor.call('GET', `/conversations/${conversationId}`)).body;
  const before = await view();
  visiting.received.length = 0;
  const mark = (unread: boolean) =>
    handler.call('PUT', `/conversations/${conversationId}/unread`, { unread });
  for (const unread of [true, false]) {
    expect((await mark(unread)).body).toEqual({ success: true });
    for (const { socket } of consoles)
      await socket.next('queueChange', ({ rows: [row] }) => row?.markedUnread === unread && row.head === 1);
  }
  // Nothing new is seen, but the mark is removed.
  await mark(true);
  const { socket } = await watchAs(handler, conversationId);
  socket.send({ type: 'seen', conversationId, seq: 1 });
  for (const each of consoles)
    await each.socket.next(
      'queueChange',
      ({ rows: [row] }) => row?.markedUnread === false && row.unread === 0,
    );
  expect(await view()).toMatchObject({ conversation: { head: before.conversation.head, status: 'open' } });
  const others = visiting.received.filter(({ type }) => type !== 'presence' && type !== 'conversation');
  expect(others).toEqual([]);
  expect(JSON.stringify(visiting.received)).not.toContain('unread');

  await handler.call('PUT', `/conversations/${conversationId}/status`, { status: 'closed' });
  expect((await mark(true)).body.code).toBe('conversation_closed');
  for (const each of [visiting, socket, ...consoles.map((console) => console.socket)]) each.close();
});

const MANY = 5 * QUEUE_PAGE;
const ALIAS = 'busy-desk';
/** A row takes about 334 bytes. */
const BYTES_AT_MOST = 500 * QUEUE_PAGE;
const MINUTE = 60_000;

/** Newest first, a minute apart. Every third is unread, every second waits, every tenth is snoozed. */
async function fillDesk(
  at: TestServer,
  alias: string,
  { conversations, unit }: { conversations: number; unit: '1 hour' | '1 minute' },
): Promise<string[]> {
  const made = await writeConversations(at, { alias, conversations, messages: 1 });
  await at.app.db.pool.query(
    `update conversations c set last_message_at = now() - n * interval '1 minute', preview_from_owner = n % 2 = 0,
       unread = case when n % 3 = 0 then 1 else 0 end,
       waiting_since = case when n % 2 = 1 then now() - (n * 7919 % $2 + 0.5) * $3::interval end,
       snoozed_until = case when n % 10 = 0 then now() + (n * 7919 % $2 + 0.5) * $3::interval end,
       snoozed_seq = case when n % 10 = 0 then 1 end, preview = repeat('x', (n % 100)::int)
     from unnest($1::uuid[]) with ordinality as made (id, n) where c.id = made.id`,
    [made, conversations, unit],
  );
  return made;
}

async function openQueue(person: Person, { paged }: { paged?: true } = {}) {
  const socket = await person.live();
  socket.send({ type: 'watchQueue', ...(paged && { paged }) });
  return { socket, queue: await socket.next('queue') };
}

async function readWhole(person: Person): Promise<QueueRow[]> {
  return (await person.call('GET', '/queue')).body.rows;
}

const bytesOf = (answer: unknown) => JSON.stringify(answer).length;
const idsOf = (rows: readonly QueueRow[]) => rows.map(({ conversationId }) => conversationId);

/** Reads a list to its end, and calls `between` after every page. */
async function walk(
  socket: LiveClient,
  show: QueueShow,
  { from, between = async () => {} }: { from?: QueueRow; between?: () => Promise<void> } = {},
): Promise<QueueRow[]> {
  const found: QueueRow[] = [];
  let after = from && queueKey(show, from);
  for (let more = true; more; ) {
    socket.send({ type: 'queuePage', show, ...(after && { after }) });
    await between();
    // Not `next`: the changes around the page keep their order.
    const page = await socket.next('queuePage');
    expect(bytesOf(page)).toBeLessThan(BYTES_AT_MOST);
    expect(page.rows.length).toBeLessThanOrEqual(QUEUE_PAGE);
    found.push(...page.rows);
    const last = page.rows.at(-1);
    after = last && queueKey(show, last);
    more = page.more;
  }
  return found;
}

describe('a long queue', () => {
  let handler: Person;
  let ids: string[];
  beforeAll(async () => {
    handler = await createStaff(server, ALIAS);
    ids = await fillDesk(server, ALIAS, { conversations: MANY, unit: '1 hour' });
  });

  test(`[QUEUE-29] the first answer of a queue of ${MANY} has a page, over both ways, with the counts of all`, async () => {
    const { socket, queue } = await openQueue(handler, { paged: true });
    const { body } = await handler.call('GET', `/queue?limit=${QUEUE_PAGE}`);
    const all = await readWhole(handler);
    expect(all).toHaveLength(MANY);
    for (const { rows, counts } of [queue, body]) {
      expect(rows).toEqual(all.slice(0, QUEUE_PAGE));
      expect(counts).toEqual(countQueue(all, Date.now(), defaultSettings));
      expect(bytesOf({ rows, counts })).toBeLessThan(BYTES_AT_MOST);
    }
    for (const show of ['all', 'unread', 'waiting', 'snoozed'] as const) {
      const rows = await walk(socket, show);
      const expected = all.filter((row) => queueKey(show, row) !== null);
      expect(new Set(idsOf(rows))).toEqual(new Set(idsOf(expected)));
      expect(rows).toHaveLength(expected.length);
      const times = rows.map((row) => queueKey(show, row)?.at ?? 0);
      expect(times).toEqual(times.toSorted((a, b) => (show === 'all' || show === 'unread' ? b - a : a - b)));
    }
    socket.close();
  });

  test('[QUEUE-29] a console of the previous release gets the whole queue', async () => {
    const { socket, queue } = await openQueue(handler);
    expect(queue).toEqual({ type: 'queue', rows: await readWhole(handler) });
    socket.close();
  });

  test('[QUEUE-29] while conversations move between pages, each is found exactly once', async () => {
    const { socket, queue } = await openQueue(handler, { paged: true });
    const known = new Map(queue.rows.map((row) => [row.conversationId, row]));
    const status = (id: string | undefined, to: string) =>
      handler.call('PUT', `/conversations/${id}/status`, { status: to });
    const send = (id: string | undefined) =>
      handler.call('POST', `/conversations/${id}/messages`, { id: randomUUID(), text: 'moved up' });
    let turn = 0;
    // Some are on pages that were read, others are not.
    const move = async (): Promise<void> => {
      turn += 1;
      const [early, late] = [ids[turn * 11], ids[MANY - turn * 13]];
      const closed = ids[MANY - turn * 17 - 5];
      await Promise.all([
        send(early),
        send(late),
        status(closed, 'closed'),
        status(ids[turn * 29], 'closed'),
      ]);
      if (turn % 3 === 0) await status(closed, 'open');
    };
    const paged = await walk(socket, 'all', { from: queue.rows.at(-1) as QueueRow, between: move });
    expect(turn).toBe(MANY / QUEUE_PAGE - 1);
    // No row is on two pages: rows only move up, to where was read already.
    const onPages = [...idsOf(queue.rows), ...idsOf(paged)];
    expect(new Set(onPages).size).toBe(onPages.length);

    for (const row of paged) known.set(row.conversationId, row);
    const all = await readWhole(handler);
    await expect
      .poll(() => {
        for (const frame of socket.received) {
          if (frame.type !== 'queueChange') continue;
          for (const row of frame.rows) known.set(row.conversationId, row);
          for (const id of frame.gone) known.delete(id);
        }
        return new Set(known.keys());
      })
      .toEqual(new Set(idsOf(all)));
    const last = socket.received.findLast((frame) => frame.type === 'queueChange');
    expect(last?.counts?.open).toBe(all.length);
    socket.close();
  });

  test('[QUEUE-29] a console gets the row of the chat that it opens, also after a reconnect', async () => {
    const far = ids[MANY - 1] as string;
    const { socket } = await openQueue(handler, { paged: true });
    socket.send({ type: 'watch', conversationId: far });
    await socket.next('queueChange', ({ rows }) => rows[0]?.conversationId === far);
    socket.close();

    const again = await handler.live();
    again.send({ type: 'watch', conversationId: far });
    again.send({ type: 'watchQueue', paged: true });
    await again.next('queueChange', ({ rows }) => rows[0]?.conversationId === far);
    again.close();
  });

  test('the counts follow the time and the thresholds', async () => {
    const clock = fakeClock(Date.now());
    const other = await startTestServer({ clock });
    const person = await createStaff(other, 'counted');
    await fillDesk(other, 'counted', { conversations: 2 * QUEUE_PAGE, unit: '1 minute' });
    const { socket, queue } = await openQueue(person, { paged: true });
    const rows = await readWhole(person);
    const counts = (minutes: number, waitingMinutes = 5) =>
      countQueue(rows, clock.now() + minutes * MINUTE, { waitingMinutes });
    expect(queue.counts).toEqual(counts(0));
    expect(counts(20)).not.toEqual(counts(0));

    const later = counts(20);
    clock.advance(20 * MINUTE);
    expect((await socket.next('queueChange')).counts).toMatchObject({ ...later, longest: expect.anything() });
    await other.app.db.pool.query('update brand set waiting_minutes = 60, waiting_long_minutes = 90');
    other.app.announce.brandChanged();
    const { waiting } = counts(0, 60);
    await socket.next('queueChange', (change) => change.counts?.waiting === waiting);
    socket.close();
    await other.close();
  });
});
