import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket as TcpSocket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { PREVIEW_MAX } from '@settee/protocol/model/conversation';
import { expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket, WebSocketServer } from 'ws';
import { fakeClock } from '../../test/support/fakeClock.ts';
import { soon } from '../../test/support/soon.ts';
import type { App } from '../platform/app.ts';
import { closeOneByOne } from './closeOneByOne.ts';
import { Socket } from './connection.ts';
import { previewOf } from './desk.ts';
import { Presence, type PresenceStore } from './presence.ts';
import { PresentVisitors } from './presentVisitors.ts';

/** When each socket is closed and may return, in milliseconds since the start. */
async function drain(count: number): Promise<{ closedAt: number; returnsAt: number }[]> {
  let now = 0;
  const closed: { closedAt: number; returnsAt: number }[] = [];
  const socket = {
    closeWith: (_code: number, _text: string, waitMs = 0) =>
      void closed.push({ closedAt: now, returnsAt: now + Math.max(0, waitMs) }),
  };
  const sleep = async (ms: number): Promise<void> => {
    now += ms;
  };
  await closeOneByOne(
    Array.from({ length: count }, () => socket),
    { now: () => now, sleep },
  );
  return closed;
}

test('up to 5,000 sockets are closed one after another, and none has to wait', async () => {
  const closed = await drain(5_000);
  expect(closed).toHaveLength(5_000);
  expect(closed.at(-1)?.closedAt).toBeLessThan(10_000);
  expect(closed.filter(({ closedAt, returnsAt }) => returnsAt > closedAt)).toEqual([]);
});

test('the live preview is cut between characters, where the database cuts it', () => {
  expect(previewOf('short')).toBe('short');
  expect(previewOf(`${'a'.repeat(PREVIEW_MAX - 1)}🙂b`)).toBe(`${'a'.repeat(PREVIEW_MAX - 1)}🙂`);
  expect(previewOf('🙂'.repeat(2 * PREVIEW_MAX))).toBe('🙂'.repeat(PREVIEW_MAX));
});

function watched() {
  const changed: string[] = [];
  return { changed, visitors: new PresentVisitors((id) => changed.push(id)) };
}

test('presence that a gateway does not renew ends with its lease', () => {
  const { changed, visitors } = watched();
  visitors.arrive('a', 'dead', 10);
  visitors.arrive('b', 'dead', 10);
  visitors.arrive('b', 'alive', 10);
  visitors.replace('alive', ['b'], 20);
  visitors.expire(10);
  expect([visitors.has('a'), visitors.has('b')]).toEqual([true, true]);
  visitors.expire(11);
  expect([visitors.has('a'), visitors.has('b')]).toEqual([false, true]);
  expect(changed).toEqual(['a', 'b', 'a']);
});

test('a visitor that a gateway no longer reports is not present there', () => {
  const { changed, visitors } = watched();
  visitors.replace('one', ['a', 'b'], 10);
  visitors.replace('two', ['b'], 10);
  visitors.replace('one', ['c'], 20);
  expect(['a', 'b', 'c'].filter((id) => visitors.has(id))).toEqual(['b', 'c']);
  expect(changed).toEqual(['a', 'b', 'c', 'a']);
  visitors.leave('b', 'one');
  expect(visitors.has('b')).toBe(true);
});

test('an idle socket does not keep the bytes that arrived with its last frame', async () => {
  let socket: Socket | undefined;
  const sockets = new WebSocketServer({ noServer: true, WebSocket: Socket });
  const server = createServer().listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  server.on('upgrade', (request, stream, head) => {
    sockets.handleUpgrade(request, stream, head, (opened) => {
      socket = opened;
      socket.stream = stream as TcpSocket;
      socket.events = {
        receive: (from, text) => from.sendTexts([Buffer.from(text), Buffer.from('got it')]),
        closed: () => {},
        nextReturn: () => 0,
      };
    });
  });
  await once(server, 'listening');
  const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
  onTestFinished(() => client.terminate());
  const kept = () => (socket as unknown as { _receiver: { _mask?: Buffer } })._receiver._mask;
  await once(client, 'open');
  const answers: string[] = [];
  client.on('message', (data: Buffer) => answers.push(data.toString()));
  for (const text of ['first', 'second']) {
    client.send(text);
    await vi.waitFor(() => expect(answers.slice(-2)).toEqual([text, 'got it']), soon);
    expect(kept()).toHaveLength(4);
    socket?.freeLastChunk();
    expect(kept()).toBeUndefined();
  }
});

const ANN = 'ann';

/** A lease store with a fake clock, and a gateway's presence that uses it. */
function open() {
  const clock = fakeClock();
  const until = new Map<string, number>();
  let changes = 0;
  let killed = false;
  const book: PresenceStore = {
    async hold(_db, _gateway, who, seconds) {
      if (killed) return;
      for (const each of who) until.set(each, clock.now() + seconds * 1_000);
    },
    async end(_db, _gateway, who) {
      for (const each of who) until.delete(each);
    },
    changed: () => {
      changes += 1;
    },
  };
  const log = { info() {}, warn: (_: unknown, event: string) => expect.fail(event), error() {} };
  return {
    presence: new Presence({ clock, log } as unknown as App, 'a gateway', book),
    isOnline: (who: string) => (until.get(who) ?? 0) > clock.now(),
    changes: () => changes,
    kill: () => {
      killed = true;
    },
    async pass(seconds: number) {
      clock.advance(seconds * 1_000);
      await turn();
    },
  };
}

test('[QUEUE-28] a person at a gateway that was killed shows as online for at most a minute', async () => {
  const { presence, isOnline, pass, kill } = open();
  presence.arrive(ANN);
  // While it lives, it renews the lease.
  for (let second = 0; second < 300; second += 1) {
    await pass(1);
    expect(isOnline(ANN)).toBe(true);
  }
  kill();
  await pass(60);
  expect(isOnline(ANN)).toBe(false);
});

test('a person disconnected by a slowly stopping gateway never shows as offline meanwhile', async () => {
  const { presence, isOnline, changes, pass } = open();
  presence.arrive(ANN);
  await pass(1);
  // A reload whose grace period is still running when she is disconnected.
  presence.leave(ANN);
  presence.arrive(ANN);
  await pass(1);
  const before = changes();
  presence.beginStop();
  presence.leave(ANN);
  for (let second = 0; second < 60; second += 1) {
    await pass(1);
    expect(isOnline(ANN)).toBe(true);
  }
  await presence.stop();
  await pass(9);
  expect([isOnline(ANN), changes()]).toEqual([true, before]);
  await pass(2);
  expect(isOnline(ANN)).toBe(false);
});
