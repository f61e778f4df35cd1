import { createServer } from 'node:http';
import { type Duplex, duplexPair } from 'node:stream';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { paceConnections } from './paceConnections.ts';

const REQUEST = 'GET / HTTP/1.1\r\nHost: settee.example\r\nConnection: close\r\n\r\n';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

function startServer() {
  const server = createServer((_, response) => response.end());
  const [accept] = server.listeners('connection');
  let read = 0;
  server.removeAllListeners('connection').on('connection', (connection) => {
    read += 1;
    accept?.call(server, connection);
  });
  paceConnections(server);
  return {
    connect(): { client: Duplex; connection: Duplex } {
      const [client, connection] = duplexPair();
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

test('[HOSTILE-15] of a burst of connections few are read at once, and every one is answered', async () => {
  const server = startServer();
  const all = Array.from({ length: 500 }, () => server.connect());
  expect(server.countRead()).toBe(64);
  const answers = await Promise.all(all.map(answerOf));
  expect(new Set(answers)).toEqual(new Set(['HTTP/1.1 200 OK']));
  // The burst is over: the next connection does not wait.
  server.connect();
  expect(server.countRead()).toBe(501);
});

test('[HOSTILE-15] silent connections do not keep others out', async () => {
  const server = startServer();
  for (let at = 0; at < 100; at += 1) server.connect();
  const answer = answerOf(server.connect());
  expect(server.countRead()).toBe(64);
  vi.advanceTimersByTime(200);
  expect(await answer).toBe('HTTP/1.1 200 OK');
});

test('[HOSTILE-15] connections beyond the limit are refused, and broken ones are forgotten', async () => {
  const server = startServer();
  const all = Array.from({ length: 2_064 }, () => server.connect());
  expect(await answerOf(server.connect())).toBe('HTTP/1.1 503 Service Unavailable');
  for (const { connection } of all.slice(64)) connection.destroy(new Error('reset'));
  await vi.waitFor(() => expect(server.connect().connection.writableEnded).toBe(false));
  vi.advanceTimersByTime(200);
  expect(await answerOf(server.connect())).toBe('HTTP/1.1 200 OK');
  expect(server.countRead()).toBeLessThan(100);
});
