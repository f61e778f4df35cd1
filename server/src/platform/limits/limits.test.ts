import { createServer } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { paceConnections } from '../http/paceConnections.ts';
import type { Caller } from '../ports/caller.ts';
import type { Clock } from '../ports/ports.ts';
import { Bucket } from './bucket.ts';
import { Coalescer } from './concurrency.ts';
import { VisitorReads } from './visitorReads.ts';

function bucketAt(start: number) {
  let now = start;
  const bucket = new Bucket({ now: () => now } as Clock, { burst: 10, perSecond: 2 });
  const pass = (ms: number): void => {
    now += ms;
  };
  return { bucket, pass };
}

test('a bucket allows its burst and then its rate, and never more than its burst', () => {
  const { bucket, pass } = bucketAt(1_000_000);
  const takeAll = (): number => {
    let taken = 0;
    while (bucket.take()) taken += 1;
    return taken;
  };
  expect(bucket.level()).toBe(1);
  expect(takeAll()).toBe(10);
  pass(499);
  expect(takeAll()).toBe(0);
  pass(1);
  expect(takeAll()).toBe(1);
  pass(60_000);
  expect(bucket.level()).toBe(1);
  expect(takeAll()).toBe(10);
});

test('a charge may leave a debt, and says how long it takes to pay it', () => {
  const { bucket, pass } = bucketAt(0);
  expect(bucket.charge(10)).toBe(0);
  expect(bucket.charge(3)).toBe(1_500);
  expect(bucket.level()).toBe(-0.3);
  expect(bucket.take()).toBe(false);
  pass(1_500);
  expect(bucket.charge(0)).toBe(0);
  expect(bucket.level()).toBe(0);
  pass(500);
  expect(bucket.take()).toBe(true);
});

test('requests during a run share one more run', async () => {
  const coalescer = new Coalescer<number>();
  let runs = 0;
  const gate = Promise.withResolvers<void>();
  const task = async () => {
    runs += 1;
    const run = runs;
    if (run === 1) await gate.promise;
    return run;
  };
  const answers = [coalescer.run(task), coalescer.run(task), coalescer.run(task)];
  expect(coalescer.isRunning()).toBe(true);
  gate.resolve();
  expect(await Promise.all(answers)).toEqual([2, 2, 2]);
  expect(coalescer.isRunning()).toBe(false);
  expect(await coalescer.run(task)).toBe(3);
});

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

const visitor = { kind: 'visitor' } as Caller;
const staff = { kind: 'staff' } as Caller;

test('visitors share a fifth of the connections, and staff do not wait for them', async () => {
  const reads = new VisitorReads(15);
  const begun: Caller[] = [];
  const ends: (() => void)[] = [];
  const read = (caller: Caller) =>
    reads.run(caller, () => {
      begun.push(caller);
      return new Promise<void>((end) => ends.push(end));
    });
  const all = [visitor, visitor, visitor, visitor, staff].map(read);
  expect(begun).toEqual([visitor, visitor, visitor, staff]);
  vi.advanceTimersByTime(1_000);
  expect(reads.isBusy()).toBe(false);
  vi.advanceTimersByTime(1);
  expect(reads.isBusy()).toBe(true);
  ends[0]?.();
  await all[0];
  await expect.poll(() => begun).toHaveLength(5);
  expect(reads.isBusy()).toBe(false);
});

const REQUEST = 'GET / HTTP/1.1\r\nHost: settee.example\r\nConnection: close\r\n\r\n';

function startServer(config: { trustProxy: false | string[] } = { trustProxy: false }) {
  const server = createServer((_, response) => response.end());
  const [accept] = server.listeners('connection');
  let read = 0;
  server.removeAllListeners('connection').on('connection', (connection) => {
    read += 1;
    accept?.call(server, connection);
  });
  paceConnections(server, { limitFactor: 1, ...config });
  return {
    connect(remoteAddress?: string): { client: Duplex; connection: Duplex } {
      const [client, connection] = duplexPair();
      if (remoteAddress !== undefined) Object.assign(connection, { remoteAddress });
      server.emit('connection', connection);
      return { client, connection };
    },
    countRead: () => read,
  };
}

async function answerOf({ client }: { client: Duplex }): Promise<string> {
  client.write(REQUEST);
  const chunks = await client.toArray();
  return Buffer.concat(chunks).toString().split('\r\n', 1)[0] ?? '';
}

test('of a burst of connections few are read at once, and every one is answered', async () => {
  const server = startServer();
  const all = Array.from({ length: 500 }, () => server.connect());
  expect(server.countRead()).toBe(64);
  const answers = await Promise.all(all.map(answerOf));
  expect(new Set(answers)).toEqual(new Set(['HTTP/1.1 200 OK']));
  // The burst is over: the next connection does not wait.
  server.connect();
  expect(server.countRead()).toBe(501);
});

test('silent connections do not keep others out', async () => {
  const server = startServer();
  for (let at = 0; at < 100; at += 1) server.connect();
  const answer = answerOf(server.connect());
  expect(server.countRead()).toBe(64);
  vi.advanceTimersByTime(200);
  expect(await answer).toBe('HTTP/1.1 200 OK');
});

test('connections beyond the limit are refused, and broken ones are forgotten', async () => {
  const server = startServer();
  const all = Array.from({ length: 2_064 }, () => server.connect());
  expect(await answerOf(server.connect())).toBe('HTTP/1.1 503 Service Unavailable');
  for (const { connection } of all.slice(64)) connection.destroy(new Error('reset'));
  await expect.poll(() => server.connect().connection.writableEnded).toBe(false);
  vi.advanceTimersByTime(200);
  expect(await answerOf(server.connect())).toBe('HTTP/1.1 200 OK');
  expect(server.countRead()).toBeLessThan(100);
});

test('one address cannot take all places, and gets them back', async () => {
  const server = startServer();
  const flood = Array.from({ length: 500 }, () => server.connect('192.0.2.7'));
  expect(await answerOf(server.connect('::ffff:192.0.2.7'))).toBe('HTTP/1.1 503 Service Unavailable');
  const other = answerOf(server.connect('192.0.2.8'));
  for (const { connection } of flood) connection.destroy();
  expect(await other).toBe('HTTP/1.1 200 OK');
  expect(await answerOf(server.connect('192.0.2.7'))).toBe('HTTP/1.1 200 OK');
});

test('a trusted proxy has no limit of its own', async () => {
  const server = startServer({ trustProxy: ['10.0.0.0/8'] });
  const all = Array.from({ length: 1_000 }, () => server.connect('::ffff:10.0.0.1'));
  const answers = await Promise.all(all.map(answerOf));
  expect(new Set(answers)).toEqual(new Set(['HTTP/1.1 200 OK']));
});
