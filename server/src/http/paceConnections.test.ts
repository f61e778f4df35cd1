import { createServer } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { paceConnections } from './paceConnections.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: settee.example\r\nConnection: close\r\n\r\n';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

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

test('[HOSTILE-05] of a burst of connections few are read at once, and every one is answered', async () => {
  const server = startServer();
  const all = Array.from({ length: 500 }, () => server.connect());
  expect(server.countRead()).toBe(64);
  const answers = await Promise.all(all.map(answerOf));
  expect(new Set(answers)).toEqual(new Set(['HTTP/1.1 200 OK']));
  // The burst is over: the next connection does not wait.
  server.connect();
  expect(server.countRead()).toBe(501);
});

test('[HOSTILE-05] silent connections do not keep others out', async () => {
  const server = startServer();
  for (let at = 0; at < 100; at += 1) server.connect();
  const answer = answerOf(server.connect());
  expect(server.countRead()).toBe(64);
  vi.advanceTimersByTime(200);
  expect(await answer).toBe('HTTP/1.1 200 OK');
});

test('[HOSTILE-05] connections beyond the limit are refused, and broken ones are forgotten', async () => {
  const server = startServer();
  const all = Array.from({ length: 2_064 }, () => server.connect());
  expect(await answerOf(server.connect())).toBe('HTTP/1.1 503 Service Unavailable');
  for (const { connection } of all.slice(64)) connection.destroy(new Error('reset'));
  await expect.poll(() => server.connect().connection.writableEnded).toBe(false);
  vi.advanceTimersByTime(200);
  expect(await answerOf(server.connect())).toBe('HTTP/1.1 200 OK');
  expect(server.countRead()).toBeLessThan(100);
});

test('[HOSTILE-05] a connection that closes without a request gives its place away at once', async () => {
  const server = startServer();
  const silent = Array.from({ length: 64 }, () => server.connect());
  const answer = answerOf(server.connect());
  expect(server.countRead()).toBe(64);
  // The time stands still.
  for (const { connection } of silent) connection.destroy();
  expect(await answer).toBe('HTTP/1.1 200 OK');
});

test('[HOSTILE-05] one address cannot take all places, and gets them back', async () => {
  const server = startServer();
  const flood = Array.from({ length: 500 }, () => server.connect('192.0.2.7'));
  expect(await answerOf(server.connect('::ffff:192.0.2.7'))).toBe('HTTP/1.1 503 Service Unavailable');
  const other = answerOf(server.connect('192.0.2.8'));
  for (const { connection } of flood) connection.destroy();
  expect(await other).toBe('HTTP/1.1 200 OK');
  expect(await answerOf(server.connect('192.0.2.7'))).toBe('HTTP/1.1 200 OK');
});

test('[HOSTILE-05] an address gets places back by requests and by silence', async () => {
  const server = startServer();
  const all = Array.from({ length: 500 }, () => server.connect('192.0.2.7'));
  await Promise.all(all.map(answerOf));
  for (let at = 0; at < 500; at += 1) server.connect('192.0.2.7');
  expect(server.connect('192.0.2.7').connection.writableEnded).toBe(true);
  vi.advanceTimersByTime(200);
  await expect.poll(server.countRead).toBe(500 + 2 * 64);
  expect(server.connect('192.0.2.7').connection.writableEnded).toBe(false);
});

test('[HOSTILE-05] a trusted proxy has no limit of its own', async () => {
  const server = startServer({ trustProxy: ['10.0.0.0/8'] });
  const all = Array.from({ length: 1_000 }, () => server.connect('::ffff:10.0.0.1'));
  const answers = await Promise.all(all.map(answerOf));
  expect(new Set(answers)).toEqual(new Set(['HTTP/1.1 200 OK']));
});
