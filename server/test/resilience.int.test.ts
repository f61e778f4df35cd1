import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { connect } from 'node:net';
import { CLOSE_FINAL, CLOSE_RESTART, CLOSE_UNAUTHENTICATED } from '@settee/protocol/frames/down';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { InProcessBus } from '../src/adapters/inProcessBus.ts';
import { systemClock, systemRandom } from '../src/adapters/system.ts';
import { LeaseTaken } from '../src/db/engine/gatewayLease.ts';
import { startGateway } from '../src/gateway.ts';
import { invite } from './browser.ts';
import { LiveClient } from './client.ts';
import { fakeClock } from './fakeClock.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { createChat, createStaff, createVisitor, sendOver, watchAs } from './people.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test('[MSG-09] the sweep finds a message whose hint was lost', async () => {
  const handler = await createStaff(server, 'sweep');
  const { visitor, conversationId } = await createChat(server, 'sweep');
  const { socket } = await watchAs(handler, conversationId);
  const queue = await handler.live();
  queue.send({ type: 'watchQueue' });
  await queue.next('queue');
  // Stored without any gateway, so there is no hint.
  await server.app.appender.append({
    conversationId,
    id: randomUUID(),
    text: 'unheard',
    fromOwner: false,
    authorId: visitor.browser.visitorId,
    alias: null,
    after: null,
    mediaId: null,
  });
  expect((await socket.next('message')).message).toMatchObject({ seq: 1, text: 'unheard' });
  // The hint of the new chat may arrive late.
  const { rows } = await queue.next('queueChange', (change) => change.rows[0]?.head === 1);
  expect(rows[0]).toMatchObject({ lastMessage: 'unheard', unread: 1 });
  await server.app.db.pool.query(
    "update conversations set visitor_name = 'Mia', rev = rev + 1 where id = $1",
    [conversationId],
  );
  expect((await socket.next('conversation')).conversation.visitorName).toBe('Mia');
  socket.close();
  queue.close();
});

test('[MSG-10] after any absence a client receives what it missed, page by page, without gaps', async () => {
  await createStaff(server, 'resume');
  const { visitor, conversationId } = await createChat(server, 'resume');
  await server.app.db.pool.query(
    `insert into messages (conversation_id, seq, id, from_owner, author_id, created_at, text)
     select $1, n, gen_random_uuid(), true, $1, now(), 'missed ' || n from generate_series(1, 1234) n`,
    [conversationId],
  );
  await server.app.db.pool.query('update conversations set last_seq = 1234 where id = $1', [conversationId]);
  const socket = await visitor.live();
  socket.send({ type: 'watch', conversationId, after: 34 });
  const { conversation, messages } = await socket.next('watched');
  const seqs = messages.map((message) => message.seq);
  while ((seqs.at(-1) ?? 0) < conversation.head) {
    socket.send({ type: 'range', conversationId, after: seqs.at(-1) ?? 0 });
    seqs.push(...(await socket.next('messages')).messages.map((message) => message.seq));
  }
  expect(seqs).toEqual(Array.from({ length: 1200 }, (_, at) => at + 35));
  socket.close();
});

test('[MSG-05] after a refused send, no later one overtakes it', async () => {
  const clock = fakeClock(Date.now());
  const strict = await startTestServer({ clock, config: { sendBurst: 2, sendPerSecond: 2 } });
  await createStaff(strict, 'budget');
  const { visitor, conversationId } = await createChat(strict, 'budget');
  const { socket } = await watchAs(visitor, conversationId);
  const ids = Array.from({ length: 5 }, () => randomUUID());
  const send = (at: number) =>
    socket.send({ type: 'send', conversationId, id: ids[at] ?? '', text: `${at}` });
  for (const at of [0, 1, 2, 3]) send(at);
  await socket.next('ack', (ack) => ack.seq === 2);
  expect(await socket.next('refused')).toMatchObject({ code: 'too_many', id: ids[2] });
  expect(await socket.next('refused')).toMatchObject({ code: 'too_many', id: ids[3] });
  clock.advance(1_500);
  // There is room again, but the third must come before the fifth.
  send(4);
  expect(await socket.next('refused')).toMatchObject({ code: 'too_many', id: ids[4] });
  send(2);
  expect((await socket.next('ack', (ack) => ack.seq === 3)).id).toBe(ids[2]);
  socket.close();
  await strict.close();
});

test('[LIMIT-02] a visitor has one budget for all ways of sending, and a new socket does not reset it', async () => {
  const strict = await startTestServer({ config: { sendBurst: 2, sendPerSecond: 0.001 } });
  await createStaff(strict, 'one-budget');
  const { visitor, conversationId } = await createChat(strict, 'one-budget');
  const { socket } = await watchAs(visitor, conversationId);
  await sendOver(socket, conversationId, 'Over the socket');
  const byCall = (text: string) =>
    visitor.call('POST', `/conversations/${conversationId}/messages`, { id: randomUUID(), text });
  expect(await byCall('By a call')).toMatchObject({ status: 200 });
  expect(await byCall('One too many')).toMatchObject({ status: 429, body: { code: 'too_many' } });
  socket.close();
  const { socket: another } = await watchAs(visitor, conversationId);
  another.send({ type: 'send', conversationId, id: randomUUID(), text: 'Over another socket' });
  expect(await another.next('refused')).toMatchObject({ code: 'too_many' });
  await strict.close();
});

test('[AUTH-03] sign-out and a change of desk end live sockets', async () => {
  const handler = await createStaff(server, 'leaving');
  const { conversationId } = await createChat(server, 'leaving');
  const { socket } = await watchAs(handler, conversationId);
  await handler.browser.call('POST', '/auth/staff/sign-out');
  await socket.until(() => socket.closed !== undefined, 'still open');
  expect(socket.closed).toEqual({ code: CLOSE_FINAL, reason: 'signed_out' });

  const mover = await createStaff(server, 'moving');
  await createStaff(server, 'new-desk');
  const moved = await mover.live();
  await server.app.db.pool.query("update staff set alias = 'new-desk' where alias = 'moving'");
  await moved.until(() => moved.closed !== undefined, 'still open');
  expect(moved.closed?.code).toBe(CLOSE_UNAUTHENTICATED);
});

test('[AUTH-03] a device whose access ended sees the conversation disappear, and can neither read nor send', async () => {
  await createStaff(server, 'revoke');
  const { visitor, conversationId } = await createChat(server, 'revoke');
  const { socket } = await watchAs(visitor, conversationId);
  await server.app.db.pool.query('update devices set revoked_at = now() where conversation_id = $1', [
    conversationId,
  ]);
  socket.send({ type: 'send', conversationId, id: randomUUID(), text: 'still here?' });
  expect(await socket.next('refused')).toMatchObject({ code: 'not_found' });
  await server.app.db.pool.query('update conversations set rev = rev + 1 where id = $1', [conversationId]);
  expect(await socket.next('gone')).toEqual({ type: 'gone', conversationId });
  expect((await visitor.call('GET', `/conversations/${conversationId}/messages`)).status).toBe(404);
  socket.close();
});

test('[PRIVACY-06] a tab whose token was replaced by another tab’s claim is asked to sign in again, and nothing shows as gone', async () => {
  const handler = await createStaff(server, 'two-tabs');
  const { visitor, conversationId } = await createChat(server, 'two-tabs');
  const path = `/conversations/${conversationId}`;
  const { socket } = await watchAs(visitor, conversationId);
  const otherTab = visitor.browser.copy();
  await otherTab.claim(await invite(server, 'two-tabs'));
  // The browser's tabs share one cookie, but each has its own token.
  visitor.browser.cookies = otherTab.cookies;

  for (const [method, at] of [
    ['GET', path],
    ['GET', `${path}/export`],
    ['DELETE', path],
  ] as const) {
    const reply = await visitor.call(method, at);
    expect([at, reply.status, reply.body.code]).toEqual([at, 401, 'unauthenticated']);
  }
  const late = await visitor.live();
  late.send({ type: 'watch', conversationId });
  await late.until(() => late.closed !== undefined, 'still open');
  // The grace period of earlier handlers may end just now.
  const shown = late.received.filter(({ type }) => type !== 'presence');
  expect([late.closed?.code, shown]).toEqual([CLOSE_UNAUTHENTICATED, []]);

  expect((await handler.call('PUT', `${path}/status`, { status: 'closed' })).status).toBe(200);
  await socket.until(() => socket.closed !== undefined, 'still open');
  expect(socket.closed?.code).toBe(CLOSE_UNAUTHENTICATED);
  expect(socket.received.filter(({ type }) => type === 'gone')).toEqual([]);

  // Other conversations still do not exist for them: the error is only about their own token.
  const foreign = await createChat(server, 'two-tabs');
  expect((await foreign.visitor.call('GET', path)).status).toBe(404);
  await visitor.browser.signIn();
  expect((await visitor.call('GET', `/conversations/${foreign.conversationId}`)).status).toBe(404);
  expect((await visitor.call('DELETE', path)).status).toBe(200);
});

test('[OPS-11] a gateway that stops closes its sockets and loses nothing', async () => {
  const leaving = await server.startAnother();
  await createStaff(server, 'drain');
  const { visitor, conversationId } = await createChat(server, 'drain');
  const { socket } = await watchAs(visitor, conversationId, leaving.url);
  const ids = Array.from({ length: 50 }, () => randomUUID());
  for (const id of ids) socket.send({ type: 'send', conversationId, id, text: id });
  await socket.next('ack');
  await leaving.stop();
  await socket.until(() => socket.closed !== undefined, 'still open');
  expect(socket.closed?.code).toBe(CLOSE_RESTART);
  const acked = socket.received.flatMap((frame) => (frame.type === 'ack' ? frame.id : []));
  const again = await watchAs(visitor, conversationId);
  const stored = again.watched.messages.map((message) => message.id);
  expect(acked.filter((id) => !stored.includes(id))).toEqual([]);
  again.socket.close();
});

test('[OPS-11] connections without a request do not keep a gateway from stopping', async () => {
  const leaving = await server.startAnother();
  const { port, hostname } = new URL(leaving.url);
  const silent = connect({ port: Number(port), host: hostname });
  await once(silent, 'connect');
  // A browser also keeps a connection that it has used.
  const agent = new Agent({ keepAlive: true });
  await new Promise((done) =>
    get(`${leaving.url}/brand`, { agent }, (read) => read.resume().on('end', done)),
  );
  const began = performance.now();
  await leaving.stop();
  // With them, it would wait for ten seconds.
  expect(performance.now() - began).toBeLessThan(9_000);
  agent.destroy();
  silent.destroy();
});

test('a gateway without NATS is the only one, and a second is refused', async () => {
  const { natsUrl: _, ...config } = server.app.config;
  const parts = {
    config: { ...config, port: 0 },
    bus: new InProcessBus().connect(),
    media: server.app.media,
    clock: systemClock,
    random: systemRandom,
    log: server.app.log,
    onLeaseLost: () => {},
  };
  await expect(startGateway(parts)).rejects.toThrow(LeaseTaken);
});

test('[AUTH-06] a socket needs our Origin, a hello first and a valid token', async () => {
  const { url, app } = server;
  await expect(new LiveClient(url, 'https://evil.example').opened()).rejects.toThrow('403');

  const noHello = new LiveClient(url, app.config.publicUrl);
  await noHello.opened();
  noHello.send({ type: 'ping' });
  await noHello.until(() => noHello.closed !== undefined, 'still open');
  expect(noHello.closed?.code).toBe(CLOSE_UNAUTHENTICATED);

  const badToken = new LiveClient(url, app.config.publicUrl);
  await badToken.opened();
  badToken.send({ type: 'hello', version: 1, token: 'forged' });
  await badToken.until(() => badToken.closed !== undefined, 'still open');
  expect(badToken.closed?.code).toBe(CLOSE_UNAUTHENTICATED);

  const old = new LiveClient(url, app.config.publicUrl);
  await old.opened();
  old.send({ type: 'hello', version: 0, token: (await createVisitor(server)).browser.token });
  await old.until(() => old.closed !== undefined, 'still open');
  expect(old.closed).toEqual({ code: CLOSE_FINAL, reason: 'outdated' });

  const bad = await (await createVisitor(server)).live();
  for (const frame of ['{"type":"send","conversationId":"x"}', 'not json at all']) {
    bad.sendRaw(frame);
    expect(await bad.next('refused')).toMatchObject({ code: 'bad_request' });
  }
  bad.close();
});

/** A visitor with five sockets, at a gateway whose time only the test moves: sockets get 2.5 s to answer a ping. */
async function fiveSockets({ dead = 0 }: { dead?: number } = {}) {
  const clock = fakeClock(Date.now());
  const still = await startTestServer({ clock });
  const { token } = (await createVisitor(still)).browser;
  let pinged = 0;
  const open = (autoPong: boolean) =>
    LiveClient.open(still.url, still.app.config.publicUrl, token, {
      autoPong,
      pinged: () => {
        pinged += 1;
      },
    });
  const sockets = await Promise.all(Array.from({ length: 5 }, (_, at) => open(at >= dead)));
  return {
    sockets,
    /** Opens another one. The time passes when all that are alive have answered. */
    async openSixth(): Promise<LiveClient> {
      const sixth = new LiveClient(still.url, still.app.config.publicUrl);
      await sixth.opened();
      pinged = 0;
      sixth.send({ type: 'hello', version: 1, token });
      await expect.poll(() => pinged).toBeGreaterThanOrEqual(5);
      for (const socket of sockets.slice(dead)) await settled(socket);
      clock.advance(2_500);
      return sixth;
    },
    close: () => still.close(),
  };
}

test('[AUTH-06] a visitor has at most five sockets', async () => {
  const { sockets, openSixth, close } = await fiveSockets();
  const sixth = await openSixth();
  await sixth.until(() => sixth.closed !== undefined, 'still open');
  expect(sixth.closed).toEqual({ code: CLOSE_FINAL, reason: 'too_many_sockets' });
  for (const socket of sockets) await settled(socket);
  await close();
});

test('typing shows only on the other side, at this and at another gateway', async () => {
  const other = await server.startAnother();
  const handler = await createStaff(server, 'typing');
  const { visitor, conversationId } = await createChat(server, 'typing');
  const here = await watchAs(visitor, conversationId);
  const second = await watchAs(visitor, conversationId);
  const near = await watchAs(handler, conversationId);
  const far = await watchAs(handler, conversationId, other.url);
  for (const { socket } of [near, far]) {
    // A hint may be lost, most likely just after the watch. Continued typing gets through.
    await expect
      .poll(() => {
        here.socket.send({ type: 'typing', conversationId });
        return socket.received.find((frame) => frame.type === 'typing');
      })
      .toEqual({ type: 'typing', conversationId, sender: 'visitor' });
  }
  await sendOver(here.socket, conversationId, 'done');
  await second.socket.next('message');
  expect(second.socket.received.filter((frame) => frame.type === 'typing')).toEqual([]);
  for (const { socket } of [here, second, near, far]) socket.close();
});

test('typing reported too often is forwarded once, and a blocked visitor’s never', async () => {
  const handler = await createStaff(server, 'typing-fast');
  const { visitor, conversationId } = await createChat(server, 'typing-fast');
  const [first, second] = [await watchAs(visitor, conversationId), await watchAs(visitor, conversationId)];
  const desk = await watchAs(handler, conversationId);
  const typingFrames = () => desk.socket.received.filter((frame) => frame.type === 'typing').length;
  for (let i = 0; i < 50; i += 1) first.socket.send({ type: 'typing', conversationId });
  await settled(first.socket);
  await settled(desk.socket);
  // A machine that needed more than a second for fifty frames forwards a few.
  expect(typingFrames()).toBeGreaterThan(0);
  expect(typingFrames()).toBeLessThan(10);
  const before = typingFrames();
  await handler.call('PUT', `/conversations/${conversationId}/status`, { status: 'blocked' });
  await second.socket.next('conversation');
  second.socket.send({ type: 'typing', conversationId });
  await settled(second.socket);
  await settled(desk.socket);
  expect(typingFrames()).toBe(before);
  for (const { socket } of [first, second, desk]) socket.close();
});

async function settled(socket: LiveClient): Promise<void> {
  socket.send({ type: 'ping' });
  await socket.next('pong');
}

test('sockets that died without a sign do not keep out their visitor, and live ones stay', async () => {
  const { sockets, openSixth, close } = await fiveSockets({ dead: 4 });
  const next = await openSixth();
  const [live, dead] = [sockets.slice(4), sockets.slice(0, 4)];
  for (const socket of dead) await socket.until(() => socket.closed !== undefined, 'still open');
  expect(dead.map(({ closed }) => closed?.code)).toEqual([1006, 1006, 1006, 1006]);
  await next.next('welcome');
  for (const socket of [...live, next]) await settled(socket);
  await close();
});
