import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { CLOSE_TRY_LATER, waitIn } from '@settee/protocol/frames/down';
import { PROTOCOL_VERSION } from '@settee/protocol/frames/version';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import type { App } from '../../src/platform/app.ts';
import { RESERVED } from '../../src/platform/db/database.ts';
import {
  connectionLimits,
  frameCosts,
  socketBudgets,
  upgradeLimits,
} from '../../src/platform/limits/table.ts';
import { noopMetrics } from '../../src/platform/metrics/noopMetrics.ts';
import { fakeClock } from '../support/fakeClock.ts';
import { startTestServer, type TestServer } from '../support/harness.ts';
import { holdAnswer } from '../support/heldQueries.ts';
import { createChat, createStaff, createVisitor, watchAs } from '../support/people.ts';

const clock = fakeClock(Date.now());
const sockets: WebSocket[] = [];
/** Why the gateways closed sockets. */
const reasons: string[] = [];
const metrics = { ...noopMetrics, socketClosed: (_: unknown, reason: string) => void reasons.push(reason) };

/** Its time stands still, behind a proxy. */
let still: TestServer;
/** With limits that no test reaches, and many connections. */
let roomy: TestServer;
/** With two connections to its database. */
let narrow: TestServer;
beforeAll(async () => {
  const trustProxy = ['127.0.0.1'];
  still = await startTestServer({
    clock,
    config: { limitFactor: 1, trustProxy, sendBurst: 2, sendPerSecond: 1 },
  });
  roomy = await startTestServer({ metrics, config: { limitFactor: 1_000, databaseConnections: 20 } });
  narrow = await startTestServer({ config: { databaseConnections: 2 } });
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.terminate();
});
afterAll(async () => {
  for (const server of [still, roomy, narrow]) await server.close();
});

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
  // Many short looks instead of one long one, which a pause of the machine would shorten.
  for (let quiet = 0, before = count(); quiet < 30; quiet += 1) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    if (count() !== before) quiet = 0;
    before = count();
  }
  return count();
}

test('[HOSTILE-02] a flooding socket is answered within its budget, then waits, and is closed when it goes on', async () => {
  const { burst, perSecond } = socketBudgets.visitor;
  const visitor = await createVisitor(still);
  const socket = await visitor.live();
  for (let at = 0; at < 6 * burst; at += 1) socket.send({ type: 'ping' });
  const pongs = () => socket.received.filter(({ type }) => type === 'pong').length;
  const first = await answers(pongs);
  expect(first).toBeGreaterThan(burst * 0.9);
  expect(first).toBeLessThanOrEqual(burst);
  clock.advance(1_000);
  await expect.poll(pongs).toBeGreaterThan(first);
  expect((await answers(pongs)) - first).toBeLessThanOrEqual(perSecond);
  await expect
    .poll(
      () => {
        clock.advance(100);
        return socket.closed;
      },
      { interval: 5 },
    )
    .toBeDefined();
  expect(socket.closed).toEqual({ code: CLOSE_TRY_LATER, reason: 'too many frames wait=5000' });
});

test('[HOSTILE-02] every type of frame and every invalid frame costs points', async () => {
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
    const visitor = await createVisitor(still);
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
async function busySockets(count: number) {
  const server = roomy;
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

test('the bytes that a gateway holds for slow sockets have a total limit: the largest holder is cut', async () => {
  reasons.length = 0;
  // Each socket holds 64 to 128 KiB: no socket exceeds the limit alone, and all of them together do.
  limit('heldBytesTotal', 200_000);
  const { busy, padded, release } = await busySockets(4);
  // The gateway does not read from them. What it read already stays in its memory.
  for (const { socket } of busy) for (let at = 0; at < 100; at += 1) socket.send(padded);
  const cut = () => reasons.filter((reason) => reason === 'slow_reader').length;
  await expect.poll(cut).toBeGreaterThan(0);
  const others = busy.filter(({ socket }) => socket.readyState === WebSocket.OPEN);
  const answered = Promise.any(others.map(({ socket }) => once(socket, 'message')));
  release();
  await answered;
  expect(cut()).toBeLessThan(4);
});

test('[HOSTILE-05] an address has a limited number of sockets without a hello, and each proxied address its own', async () => {
  const from = (address: string) => upgrade(still, { 'x-forwarded-for': address });
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
  const attempt = async (): Promise<number | undefined> => {
    const forged = `203.0.113.${sockets.length % 250}`;
    const { status } = await upgrade(still, { 'x-forwarded-for': `${forged}, 203.0.113.9` });
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
  // The product waits five seconds for a connection.
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
  const handler = await createStaff(narrow, 'busy');
  const { visitor, conversationId } = await createChat(narrow, 'busy');
  const { socket } = await watchAs(visitor, conversationId);
  const second = await visitor.live();
  const { db } = narrow.app;
  const release = await occupy(narrow, db, 2);
  expect(await db.query({ text: 'select 1' }).catch((error: Error) => error.name)).toBe('Overloaded');

  socket.send({ type: 'range', conversationId, after: 0 });
  expect(await socket.next('refused')).toMatchObject({ code: 'unavailable', conversationId });
  // What was sent behind a refused watch is refused for now too, not for good.
  second.send({ type: 'watch', conversationId, after: 0 });
  const id = randomUUID();
  second.send({ type: 'send', conversationId, id, text: 'Hello' });
  expect(await second.next('refused')).toMatchObject({ code: 'unavailable', conversationId });
  expect(await second.next('refused')).toMatchObject({ code: 'unavailable', conversationId, id });
  const call = await visitor.call('GET', `/conversations/${conversationId}/messages`);
  expect(call).toMatchObject({ status: 503, body: { code: 'unavailable' } });
  expect(call.headers.get('retry-after')).toBe('1');

  const blocked = await handler.call('PUT', `/conversations/${conversationId}/status`, { status: 'blocked' });
  expect(blocked.status).toBe(200);
  await socket.next('conversation', ({ conversation }) => !conversation.canSend);
  await release();
});

test('with a busy database, new sockets are refused, except those of staff', async () => {
  const release = await occupy(narrow, narrow.app.db, 2);
  expect(await upgrade(narrow)).toEqual({ status: 503, retryAfter: '5' });
  expect(await upgrade(narrow, { cookie: 'settee-visitor=x' })).toMatchObject({ status: 503 });
  const secret = 'x'.repeat(43);
  for (const cookie of [`not-settee-staff=${secret}`, `a=settee-staff=${secret}`, 'settee-staff=x'])
    expect(await upgrade(narrow, { cookie }), cookie).toMatchObject({ status: 503 });
  expect(await upgrade(narrow, { cookie: `a=b; settee-staff=${secret}` })).toMatchObject({ status: 101 });
  await release();
  expect(await upgrade(narrow)).toMatchObject({ status: 101 });
});

test('sockets that cannot be served now are told to return one after another', async () => {
  const handler = await createStaff(roomy, 'later');
  const release = await occupy(roomy, roomy.app.reserved, RESERVED.connections, RESERVED.waitingMax);
  const waits = [];
  for (let at = 0; at < 3; at += 1) {
    const socket = dial(roomy);
    await once(socket, 'open');
    socket.send(JSON.stringify({ type: 'hello', version: PROTOCOL_VERSION, token: handler.browser.token }));
    const [code, reason] = await once(socket, 'close');
    expect([code, String(reason)]).toEqual([CLOSE_TRY_LATER, expect.stringMatching(/^try later wait=\d+$/)]);
    waits.push(waitIn(String(reason)));
  }
  expect(waits.every((wait) => wait > 0)).toBe(true);
  await release();
});

test('[MSG-05] a refused copy of a stored message neither stops its sender, nor lets a later message overtake, nor closes the socket', async () => {
  await createStaff(still, 'copy');
  const { visitor, conversationId } = await createChat(still, 'copy');
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

test('[HOSTILE-05] an address has few unfinished requests, and each has half a minute, except an upload', async () => {
  const clock = fakeClock(Date.now());
  const server = await startTestServer({ clock, config: { limitFactor: 1 } });
  const { port } = new URL(server.url);
  const begin = async (line: string, type = 'application/json') => {
    const socket = connect(Number(port), '127.0.0.1')
      .on('error', () => {})
      .resume();
    await once(socket, 'connect');
    socket.write(`${line} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: 9\r\n\r\n{`);
    return socket;
  };
  const status = async (): Promise<number | undefined> => {
    const asking = request({ port, path: '/brand', agent: false }).end();
    const [response] = (await once(asking, 'response')) as [IncomingMessage];
    response.resume();
    return response.statusCode;
  };
  const upload = await begin('PUT /manage/profile/avatar', 'image/png');
  const slow: Socket[] = [];
  // With the upload.
  while (slow.length + 1 < connectionLimits.perAddress) slow.push(await begin('POST /auth/staff/sign-in'));
  await expect.poll(status).toBe(503);
  await expect
    .poll(() => {
      clock.advance(connectionLimits.requestSeconds * 1_000);
      return slow.filter(({ destroyed }) => !destroyed).length;
    })
    .toBe(0);
  expect(await status()).toBe(200);
  expect(upload.destroyed).toBe(false);
  upload.destroy();
  await server.close();
});
