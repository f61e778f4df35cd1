import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { CLOSE_TRY_LATER, waitIn } from '@settee/protocol/frames/down';
import { PROTOCOL_VERSION } from '@settee/protocol/frames/version';
import pg from 'pg';
import { afterEach, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import type { App } from '../src/app.ts';
import { RESERVED } from '../src/db/engine/database.ts';
import { frameCosts, socketBudgets, upgradeLimits } from '../src/limits/table.ts';
import { noopMetrics } from '../src/metrics/noopMetrics.ts';
import { type FakeClock, fakeClock } from './fakeClock.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { holdAnswer } from './heldQueries.ts';
import { openTransaction } from './openTransaction.ts';
import { createChat, createStaff, createVisitor, watchAs } from './people.ts';

const servers: TestServer[] = [];
const sockets: WebSocket[] = [];

afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.terminate();
  for (const server of servers.splice(0)) await server.close();
});

async function start(options: Parameters<typeof startTestServer>[0] = {}): Promise<TestServer> {
  const server = await startTestServer({ ...options, config: { limitFactor: 1, ...options.config } });
  servers.push(server);
  return server;
}

function dial({ url, app }: TestServer, headers: Record<string, string> = {}): WebSocket {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/live`, {
    origin: app.config.publicUrl,
    headers,
  });
  socket.on('error', () => {});
  sockets.push(socket);
  return socket;
}

/** 101 for an accepted upgrade. */
async function upgrade(server: TestServer, headers: Record<string, string> = {}) {
  const socket = dial(server, headers);
  return Promise.race([
    once(socket, 'open').then(() => ({ status: 101, retryAfter: undefined })),
    once(socket, 'unexpected-response').then(([, response]: IncomingMessage[]) => ({
      status: response?.statusCode,
      retryAfter: response?.headers['retry-after'],
    })),
  ]);
}

/** Counts the answers to a flood, from the first until none comes any more. */
async function answers(count: () => number): Promise<number> {
  await expect.poll(count).toBeGreaterThan(0);
  // Many short looks instead of one long one: a busy machine may stop this process for a while.
  for (let quiet = 0, before = count(); quiet < 30; quiet += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    if (count() !== before) quiet = 0;
    before = count();
  }
  return count();
}

/** Counts the queries that ask which refused messages are stored. */
function countLookups({ app }: TestServer): { started: number; finished: number; atOnce: number } {
  const { db } = app;
  const query = db.query.bind(db) as (...parts: unknown[]) => Promise<unknown>;
  const lookups = { started: 0, finished: 0, atOnce: 0 };
  const counting = async (...parts: unknown[]): Promise<unknown> => {
    const [first] = parts as [{ name?: string }];
    if (first.name !== 'message-stored') return query(...parts);
    lookups.started += 1;
    lookups.atOnce = Math.max(lookups.atOnce, lookups.started - lookups.finished);
    return query(...parts).finally(() => {
      lookups.finished += 1;
    });
  };
  Object.assign(db, { query: counting });
  return lookups;
}

test('[HOSTILE-02] a flood of new messages after a refused one starts one query at a time', async () => {
  const server = await start({ config: { sendBurst: 1, sendPerSecond: 1 }, clock: fakeClock(Date.now()) });
  await createStaff(server, 'flood');
  const { visitor, conversationId } = await createChat(server, 'flood');
  const { socket } = await watchAs(visitor, conversationId);
  const lookups = countLookups(server);
  for (let at = 0; at < 60; at += 1)
    socket.send({ type: 'send', conversationId, id: randomUUID(), text: `${at}` });
  await socket.until(
    () => socket.received.filter(({ type }) => type === 'refused').length === 59,
    'not all were refused',
  );
  expect(lookups.atOnce).toBe(1);
});

test('[HOSTILE-02] a flooding socket is answered within its budget, then waits, and is closed when it goes on', async () => {
  const clock = fakeClock(Date.now());
  const server = await start({ clock });
  const { burst, perSecond } = socketBudgets.visitor;
  const visitor = await createVisitor(server);
  const socket = await visitor.live();
  for (let at = 0; at < 6 * burst; at += 1) socket.send({ type: 'ping' });
  const pongs = () => socket.received.filter(({ type }) => type === 'pong').length;
  const first = await answers(pongs);
  expect(first).toBeGreaterThan(burst * 0.9);
  expect(first).toBeLessThanOrEqual(burst);
  clock.advance(1_000);
  await expect.poll(pongs).toBeGreaterThan(first);
  expect((await answers(pongs)) - first).toBeLessThanOrEqual(perSecond);
  await flowUntilClosed(clock, socket);
  expect(socket.closed).toEqual({ code: CLOSE_TRY_LATER, reason: 'too many frames wait=5000' });
});

async function flowUntilClosed(clock: FakeClock, socket: { closed: unknown }): Promise<void> {
  await expect
    .poll(
      () => {
        clock.advance(100);
        return socket.closed;
      },
      { interval: 5 },
    )
    .toBeDefined();
}

test('[HOSTILE-02] every type of frame and every invalid frame costs points', async () => {
  const server = await start({ clock: fakeClock(Date.now()) });
  const { burst } = socketBudgets.visitor;
  const conversationId = randomUUID();
  const floods = {
    invalid: '{}',
    watch: JSON.stringify({ type: 'watch', conversationId }),
    range: JSON.stringify({ type: 'range', conversationId, after: 0 }),
    watchQueue: JSON.stringify({ type: 'watchQueue' }),
    queuePage: JSON.stringify({ type: 'queuePage', show: 'all' }),
    renew: JSON.stringify({ type: 'renew', token: 'x' }),
  } as const;
  for (const [type, frame] of Object.entries(floods)) {
    const visitor = await createVisitor(server);
    const socket = await visitor.live();
    for (let at = 0; at < 2 * burst; at += 1) socket.sendRaw(frame);
    const refused = () => socket.received.filter((each) => each.type === 'refused').length;
    await expect.poll(refused).toBeGreaterThan(0);
    expect(await answers(refused), type).toBeLessThanOrEqual(
      Math.ceil(burst / frameCosts[type as keyof typeof floods]),
    );
    socket.close();
  }
});

test('[HOSTILE-02] while a frame is being handled, the gateway does not read the next ones', async () => {
  const server = await start({ config: { limitFactor: 1_000 } });
  const visitor = await createVisitor(server);
  const socket = dial(server);
  await once(socket, 'open');
  socket.send(JSON.stringify({ type: 'hello', version: PROTOCOL_VERSION, token: visitor.browser.token }));
  await once(socket, 'message');
  const held = holdAnswer(server.app, 'conversation-for-visitor');
  const watch = JSON.stringify({ type: 'watch', conversationId: randomUUID() });
  socket.send(watch);
  await held.asked;
  // More than the buffers of both sides of a connection hold.
  const padded = watch + ' '.repeat(16_384 - watch.length);
  for (let at = 0; at < 4_000; at += 1) socket.send(padded);
  let before = -1;
  await expect
    .poll(
      () => {
        const waits = socket.bufferedAmount === before;
        before = socket.bufferedAmount;
        return waits;
      },
      { interval: 500 },
    )
    .toBe(true);
  expect(socket.bufferedAmount).toBeGreaterThan(16 * 2 ** 20);
  held.release();
  await expect.poll(() => socket.bufferedAmount).toBeLessThan(before);
});

/** Replaces a limit until the test ends. */
function limit(name: 'waitingBytesTotal' | 'heldBytesTotal', bytes: number): void {
  const limits = upgradeLimits as Record<string, number>;
  const before = limits[name] ?? 0;
  limits[name] = bytes;
  onTestFinished(() => {
    limits[name] = before;
  });
}

/** Sockets whose first frame is in progress, so that every further frame waits. Four need 20 connections. */
async function busySockets(server: TestServer, count: number) {
  const watch = JSON.stringify({ type: 'watch', conversationId: randomUUID() });
  const busy: { socket: WebSocket; release(): void }[] = [];
  for (let at = 0; at < count; at += 1) {
    const { browser } = await createVisitor(server);
    const socket = dial(server);
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'hello', version: PROTOCOL_VERSION, token: browser.token }));
    await once(socket, 'message');
    const { asked, release } = holdAnswer(server.app, 'conversation-for-visitor');
    socket.send(watch);
    await asked;
    busy.push({ socket, release });
  }
  return {
    busy,
    padded: watch + ' '.repeat(16_384 - watch.length),
    release: () => {
      for (const each of busy) each.release();
    },
  };
}

test('the frames that wait in a gateway have a total limit: the socket that exceeds it is closed', async () => {
  const server = await start({ config: { limitFactor: 1_000, databaseConnections: 20 } });
  limit('waitingBytesTotal', 40_000);
  const { busy, padded, release } = await busySockets(server, 3);
  // Each has one waiting frame, so no socket exceeds the limit alone.
  for (const { socket } of busy) socket.send(padded);
  const open = () => busy.filter(({ socket }) => socket.readyState === WebSocket.OPEN);
  await expect.poll(open).toHaveLength(2);
  const answered = Promise.all(open().map(({ socket }) => once(socket, 'message')));
  release();
  await answered;
  expect(open()).toHaveLength(2);
});

test('the bytes that a gateway holds for slow sockets have a total limit: the largest holder is cut', async () => {
  const reasons: string[] = [];
  const metrics = {
    ...noopMetrics,
    socketClosed: (_kind: unknown, reason: string) => void reasons.push(reason),
  };
  const server = await start({ config: { limitFactor: 1_000, databaseConnections: 20 }, metrics });
  // Each socket holds 64 to 128 KiB: no socket exceeds the limit alone, and all of them together do.
  limit('heldBytesTotal', 200_000);
  const { busy, padded, release } = await busySockets(server, 4);
  // The gateway does not read from them. What it read already stays in its memory.
  for (const { socket } of busy) for (let at = 0; at < 100; at += 1) socket.send(padded);
  await expect.poll(() => reasons.length).toBeGreaterThan(0);
  const others = busy.filter(({ socket }) => socket.readyState === WebSocket.OPEN);
  const answered = Promise.any(others.map(({ socket }) => once(socket, 'message')));
  release();
  await answered;
  expect(new Set(reasons)).toEqual(new Set(['slow_reader']));
  expect(reasons.length).toBeLessThan(4);
});

test('[HOSTILE-05] an address has a limited number of sockets without a hello, and each proxied address its own', async () => {
  const server = await start({ config: { trustProxy: ['127.0.0.1'] } });
  const from = (address: string) => upgrade(server, { 'x-forwarded-for': address });
  const { withoutHello } = upgradeLimits;
  const statuses = await Promise.all(Array.from({ length: withoutHello }, () => from('203.0.113.7')));
  expect(statuses.map(({ status }) => status)).toEqual(Array(withoutHello).fill(101));
  expect(await from('203.0.113.7')).toEqual({ status: 429, retryAfter: '5' });
  // Only the last hop is trusted, so a forged one does not help.
  expect(await from('203.0.113.8, 203.0.113.7')).toMatchObject({ status: 429 });
  expect(await from('203.0.113.8')).toMatchObject({ status: 101 });
  // One of them leaves.
  sockets[0]?.close();
  await expect.poll(async () => (await from('203.0.113.7')).status).toBe(101);
});

test('[HOSTILE-05] an address has a limited number of upgrades per minute, whatever its header says', async () => {
  const clock = fakeClock(Date.now());
  const server = await start({ clock });
  const attempt = async (): Promise<number | undefined> => {
    const { status } = await upgrade(server, { 'x-forwarded-for': `203.0.113.${sockets.length % 250}` });
    const socket = sockets.pop();
    if (status === 101 && socket !== undefined) {
      socket.close();
      await once(socket, 'close');
    }
    return status;
  };
  for (let at = 0; at < upgradeLimits.perMinute; at += 1) expect(await attempt()).toBe(101);
  expect(await attempt()).toBe(429);
  clock.advance(60_000 / upgradeLimits.perMinute);
  expect(await attempt()).toBe(101);
  expect(await attempt()).toBe(429);
});

test('a socket that does not answer its close is cut', async () => {
  const closed: string[] = [];
  const socketClosed = (_: unknown, reason: string) => void closed.push(reason);
  const server = await start({ metrics: { ...noopMetrics, socketClosed } });
  const socket = dial(server);
  await once(socket, 'open');
  // It reads nothing from now on, so it never sees the close. ws would wait for half a minute.
  socket.pause();
  socket.send('{}');
  await expect.poll(() => closed).toEqual(['hello_expected']);
});

/** Keeps all connections busy, and as many queries waiting as allowed. Returns how to end that. */
async function occupy(
  server: TestServer,
  { pool }: App['db'],
  connections: number,
  waitingMax = 20,
): Promise<() => Promise<void>> {
  const lock = new pg.Client(server.databaseUrl);
  await lock.connect();
  await lock.query('select pg_advisory_lock(15)');
  // The product waits five seconds for a connection. A busy machine may need longer for the test.
  pool.options.connectionTimeoutMillis = 0;
  // A statement ends after fifteen seconds. Nobody awaits it by then, and it must not fail the run.
  const stuck = Promise.allSettled(
    Array.from({ length: connections * (1 + waitingMax) }, () =>
      pool.query('select pg_advisory_xact_lock_shared(15)'),
    ),
  );
  await expect.poll(() => pool.waitingCount).toBe(connections * waitingMax);
  return async () => {
    await lock.end();
    await stuck;
  };
}

test('[HOSTILE-09] with a busy database, new work of visitors is refused at once, and a visitor can still be blocked', async () => {
  const server = await start({ config: { databaseConnections: 2 } });
  const handler = await createStaff(server, 'busy');
  const { visitor, conversationId } = await createChat(server, 'busy');
  const { socket } = await watchAs(visitor, conversationId);
  const { db } = server.app;
  const release = await occupy(server, db, 2);
  expect(await db.query({ text: 'select 1' }).catch((error: Error) => error.name)).toBe('Overloaded');

  socket.send({ type: 'range', conversationId, after: 0 });
  expect(await socket.next('refused')).toMatchObject({ code: 'unavailable', conversationId });
  const call = await visitor.call('GET', `/conversations/${conversationId}/messages`);
  expect(call).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  expect(call.headers.get('retry-after')).toBe('1');

  const blocked = await handler.call('PUT', `/conversations/${conversationId}/status`, { status: 'blocked' });
  expect(blocked.status).toBe(200);
  await socket.next('conversation', ({ conversation }) => !conversation.canSend);
  await release();
});

test('[HOSTILE-09] with a busy database, new sockets are refused, except those of staff', async () => {
  const server = await start({ config: { databaseConnections: 2 } });
  const release = await occupy(server, server.app.db, 2);
  expect(await upgrade(server)).toEqual({ status: 503, retryAfter: '5' });
  expect(await upgrade(server, { cookie: 'settee-visitor=x' })).toMatchObject({ status: 503 });
  expect(await upgrade(server, { cookie: 'settee-staff=x' })).toMatchObject({ status: 101 });
  await release();
  expect(await upgrade(server)).toMatchObject({ status: 101 });
});

test('[NET-27] sockets that cannot be served now are told to return one after another', async () => {
  const server = await start();
  const handler = await createStaff(server, 'later');
  const release = await occupy(server, server.app.reserved, RESERVED.connections, RESERVED.waitingMax);
  const waits = [];
  for (let at = 0; at < 3; at += 1) {
    const socket = dial(server);
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'hello', version: PROTOCOL_VERSION, token: handler.browser.token }));
    const [code, reason] = await once(socket, 'close');
    expect([code, String(reason)]).toEqual([CLOSE_TRY_LATER, expect.stringMatching(/^try later wait=\d+$/)]);
    waits.push(waitIn(String(reason)));
  }
  expect(waits.every((wait) => wait > 0)).toBe(true);
  await release();
});

test('[NET-27] consoles whose queue cannot be read now are told to return one after another', async () => {
  const server = await start({ config: { databaseConnections: 2 } });
  const handler = await createStaff(server, 'later-queue');
  const consoles = await Promise.all(Array.from({ length: 3 }, () => handler.live()));
  const release = await occupy(server, server.app.db, 2);
  for (const socket of consoles) socket.send({ type: 'watchQueue' });
  for (const socket of consoles) {
    await socket.until(() => socket.closed !== undefined, 'the socket stays open');
    expect(socket.closed).toEqual({
      code: CLOSE_TRY_LATER,
      reason: expect.stringMatching(/^try later wait=[1-9]/),
    });
  }
  await release();
});

test('[MSG-05] a message that would wait too long is refused at once, and the order survives', async () => {
  const server = await start();
  await createStaff(server, 'slow');
  const { visitor, conversationId } = await createChat(server, 'slow');
  const { socket } = await watchAs(visitor, conversationId);
  const send = (id: string) => socket.send({ type: 'send', conversationId, id, text: id });
  const lock = await openTransaction(server);
  await lock.query('select from conversations where id = $1 for update', [conversationId]);
  const [first, second, third, fourth] = Array.from({ length: 4 }, () => randomUUID()) as [
    string,
    string,
    string,
    string,
  ];
  send(first);
  await expect
    .poll(
      async () =>
        (
          await server.app.reserved.pool.query(
            `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
          )
        ).rowCount,
    )
    .toBeGreaterThan(0);
  // Waits behind the first, which is in progress.
  send(second);
  await expect.poll(() => server.app.appender.isOverloaded(conversationId, 'owner')).toBe(true);
  send(third);
  send(fourth);
  expect(await socket.next('refused')).toMatchObject({ code: 'unavailable', id: third });
  expect(await socket.next('refused')).toMatchObject({ code: 'unavailable', id: fourth });
  // A page sends everything again that has no ack. Only what is not on its way is refused.
  for (const id of [first, second, third, fourth]) send(id);
  expect(await socket.next('refused')).toMatchObject({ code: 'unavailable', id: third });
  expect(await socket.next('refused')).toMatchObject({ code: 'unavailable', id: fourth });
  await lock.commit();
  expect((await socket.next('ack')).id).toBe(first);
  expect((await socket.next('ack')).id).toBe(second);
  // Not before the third.
  send(fourth);
  expect(await socket.next('refused')).toMatchObject({ code: 'too_many', id: fourth });
  send(third);
  send(fourth);
  expect(await socket.next('ack')).toMatchObject({ id: third, seq: 3 });
  expect(await socket.next('ack')).toMatchObject({ id: fourth, seq: 4 });
  expect(socket.closed).toBeUndefined();
});

test('[MSG-05] a refused copy of a stored message neither stops its sender, nor lets a later message overtake, nor closes the socket', async () => {
  const clock = fakeClock(Date.now());
  const server = await start({ config: { sendBurst: 2, sendPerSecond: 1 }, clock });
  await createStaff(server, 'copy');
  const { visitor, conversationId } = await createChat(server, 'copy');
  const { socket } = await watchAs(visitor, conversationId);
  const send = (id: string) => socket.send({ type: 'send', conversationId, id, text: id });
  const ids: string[] = Array.from({ length: 4 }, () => randomUUID());
  const [first = '', second = '', third = '', fourth = ''] = ids;
  send(first);
  send(second);
  await socket.next('ack', ({ id }) => id === second);
  // The page sent it again before it received the ack. There are no tokens left.
  send(second);
  send(third);
  const refused = (id: string) => socket.next('refused', (frame) => frame.id === id);
  await refused(second);
  await refused(third);
  clock.advance(10_000);
  // Whatever happens to another copy, the third message must come before the fourth.
  send(second);
  send(fourth);
  await refused(fourth);
  const untilStored = (id: string) =>
    expect
      .poll(() => {
        clock.advance(1_000);
        send(id);
        return socket.received.find((frame) => frame.type === 'ack' && frame.id === id);
      })
      .toMatchObject({ id, seq: ids.indexOf(id) + 1 });
  await untilStored(third);
  await untilStored(fourth);
  expect(socket.closed).toBeUndefined();
});

test('[MSG-05] one lookup finds all refused messages that are stored already, so their sender can go on', async () => {
  const clock = fakeClock(Date.now());
  const server = await start({ config: { sendBurst: 3, sendPerSecond: 1 }, clock });
  await createStaff(server, 'copies');
  const { visitor, conversationId } = await createChat(server, 'copies');
  const { socket } = await watchAs(visitor, conversationId);
  const send = (id: string) => socket.send({ type: 'send', conversationId, id, text: id });
  const stored = Array.from({ length: 3 }, () => randomUUID());
  for (const id of stored) send(id);
  await socket.next('ack', ({ id }) => id === stored.at(-1));
  // Copies that the page sent before it received the acks. There are no tokens left, and no time for lookups.
  Object.assign(server.app.db, { isBusy: () => true });
  for (const id of stored) send(id);
  for (const id of stored) expect(await socket.next('refused')).toMatchObject({ id });
  Object.assign(server.app.db, { isBusy: () => false });
  const lookups = countLookups(server);
  clock.advance(10_000);
  const next = randomUUID();
  send(next);
  expect(await socket.next('refused', ({ id }) => id === next)).toMatchObject({ code: 'too_many' });
  await expect.poll(() => lookups.finished).toBe(1);
  send(next);
  expect(await socket.next('ack', ({ id }) => id === next)).toMatchObject({ seq: 4 });
  expect(lookups.started).toBe(1);
});
