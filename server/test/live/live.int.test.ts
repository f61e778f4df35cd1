import { randomUUID } from 'node:crypto';
import { CLOSE_FINAL, CLOSE_RESTART, CLOSE_UNAUTHENTICATED } from '@settee/protocol/frames/down';
import type { Up } from '@settee/protocol/frames/up';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { LiveClient } from '../support/client.ts';
import { fakeClock } from '../support/fakeClock.ts';
import { startTestServer, type TestServer } from '../support/harness.ts';
import {
  createChat,
  createStaff,
  createVisitor,
  sendOver,
  settled,
  watchAs,
  watchQueue,
} from '../support/people.ts';

const clock = fakeClock(Date.now());
let server: TestServer;
/** A gateway with small budgets, whose time only the test moves. */
let strict: TestServer;
beforeAll(async () => {
  server = await startTestServer();
  strict = await startTestServer({ clock, config: { sendBurst: 2, sendPerSecond: 2 } });
});
afterAll(async () => {
  await strict.close();
  await server.close();
});

test('[MSG-09] the sweep finds a message whose hint was lost', async () => {
  const handler = await createStaff(server, 'sweep');
  const { visitor, conversationId } = await createChat(server, 'sweep');
  const { socket } = await watchAs(handler, conversationId);
  const { socket: queue } = await watchQueue(handler);
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
  // There is room again, but the third must come before the fourth and the fifth.
  for (const at of [3, 4]) {
    send(at);
    expect(await socket.next('refused')).toMatchObject({ code: 'too_many', id: ids[at] });
  }
  send(2);
  expect((await socket.next('ack', (ack) => ack.seq === 3)).id).toBe(ids[2]);
  socket.close();
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

test('[AUTH-06] a socket needs our Origin, a hello first and a valid token', async () => {
  const { url, app } = server;
  for (const origin of ['https://evil.example', 'null', undefined])
    await expect(new LiveClient(url, origin).opened()).rejects.toThrow('403');

  const closedAfter = async (first: Up) => {
    const socket = new LiveClient(url, app.config.publicUrl);
    await socket.opened();
    socket.send(first);
    await socket.until(() => socket.closed !== undefined, 'still open');
    return socket.closed;
  };
  for (const first of [{ type: 'ping' }, { type: 'hello', version: 1, token: 'forged' }] as const)
    expect((await closedAfter(first))?.code).toBe(CLOSE_UNAUTHENTICATED);
  const { token } = (await createVisitor(server)).browser;
  const old = await closedAfter({ type: 'hello', version: 0, token });
  expect(old).toEqual({ code: CLOSE_FINAL, reason: 'outdated' });

  const bad = await (await createVisitor(server)).live();
  for (const frame of ['{"type":"send","conversationId":"x"}', 'not json at all']) {
    bad.sendRaw(frame);
    expect(await bad.next('refused')).toMatchObject({ code: 'bad_request' });
  }
  bad.close();
});

/** A visitor with five sockets, of which these do not answer pings. Sockets get 2.5 s to answer one. */
async function fiveSockets(dead: number) {
  const { token } = (await createVisitor(strict)).browser;
  let pinged = 0;
  const open = (autoPong: boolean) =>
    LiveClient.open(strict.url, strict.app.config.publicUrl, token, {
      autoPong,
      pinged: () => {
        pinged += 1;
      },
    });
  const sockets = await Promise.all(Array.from({ length: 5 }, (_, at) => open(at >= dead)));
  /** Opens another one. The time passes when all that are alive have answered. */
  const openSixth = async (): Promise<LiveClient> => {
    const sixth = new LiveClient(strict.url, strict.app.config.publicUrl);
    await sixth.opened();
    pinged = 0;
    sixth.send({ type: 'hello', version: 1, token });
    await expect.poll(() => pinged).toBeGreaterThanOrEqual(5);
    for (const socket of sockets.slice(dead)) await settled(socket);
    clock.advance(2_500);
    return sixth;
  };
  return { sockets, sixth: await openSixth() };
}

test('[AUTH-06] a visitor has at most five sockets', async () => {
  const { sockets, sixth } = await fiveSockets(0);
  await sixth.until(() => sixth.closed !== undefined, 'still open');
  expect(sixth.closed).toEqual({ code: CLOSE_FINAL, reason: 'too_many_sockets' });
  for (const socket of sockets) await settled(socket);
});

test('[AUTH-06] sockets that died without a sign do not keep out their visitor, and live ones stay', async () => {
  const { sockets, sixth } = await fiveSockets(4);
  const [live, dead] = [sockets.slice(4), sockets.slice(0, 4)];
  for (const socket of dead) await socket.until(() => socket.closed !== undefined, 'still open');
  expect(dead.map(({ closed }) => closed?.code)).toEqual([1006, 1006, 1006, 1006]);
  await sixth.next('welcome');
  for (const socket of [...live, sixth]) await settled(socket);
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

  // A blocked visitor's typing shows nowhere.
  await handler.call('PUT', `/conversations/${conversationId}/status`, { status: 'blocked' });
  await second.socket.next('conversation', ({ conversation }) => !conversation.canSend);
  await settled(near.socket);
  near.socket.received.length = 0;
  second.socket.send({ type: 'typing', conversationId });
  await settled(second.socket);
  await settled(near.socket);
  expect(near.socket.received.filter((frame) => frame.type === 'typing')).toEqual([]);
  for (const { socket } of [here, second, near, far]) socket.close();
});

test('[OPS-13] a desk stays staffed while its gateway restarts, and is empty soon after if nobody returns', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.close());
  const leaving = await server.startAnother();
  const handler = await createStaff(server, 'restarted');
  const { visitor, conversationId } = await createChat(server, 'restarted');
  const { socket: watcher } = await watchAs(visitor, conversationId);
  const before = await handler.live(leaving.url);
  await watcher.next('presence', ({ online }) => online);
  // What came before may say that nobody is there yet.
  watcher.received.length = 0;

  const query = async (text: string) => (await server.app.db.pool.query(text)).rows;
  // An hour longer than the product says: the rest is within the last lease, however slow the machine is.
  await server.asOwner(`create function an_hour_longer() returns trigger language plpgsql as
    $$ begin new.expires_at := new.expires_at + interval '1 hour'; return new; end $$`);
  await server.asOwner(`create trigger an_hour_longer before update on presence for each row
    execute function an_hour_longer()`);
  await leaving.stop();
  await before.until(() => before.closed !== undefined, 'still open');
  const [lease] = await query(
    "select extract(epoch from expires_at - now() - interval '1 hour')::float8 as seconds from presence",
  );
  expect(lease.seconds).toBeLessThanOrEqual(10);
  await server.asOwner('drop trigger an_hour_longer on presence');
  // After two sweeps the visitors' gateway has noticed everything it can.
  for (const name of ['Swept once', 'Swept twice']) {
    await query(`update conversations set visitor_name = '${name}', rev = rev + 1`);
    await watcher.next('conversation', ({ conversation }) => conversation.visitorName === name);
  }
  const after = await handler.live();
  expect(watcher.received.filter(({ type }) => type === 'presence')).toEqual([]);
  await expect.poll(() => query('select from presence')).toHaveLength(2);
  await query("delete from presence where expires_at > now() + interval '30 minutes'");

  const another = await server.startAnother();
  const moved = await handler.live(another.url);
  after.close();
  await another.stop();
  await watcher.next('presence', ({ online }) => !online);
  moved.close();
  watcher.close();
});

test('[QUEUE-27] the presence of a killed gateway ends with its lease', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.close());
  const handler = await createStaff(server, 'crashed');
  const { visitor } = await createChat(server, 'crashed');
  const watcher = await visitor.live();
  const isOnline = async () => (await handler.call('GET', '/handlers/me')).body.handler.online;
  const { pool } = server.app.db;
  await pool.query("insert into presence values ('crashed', gen_random_uuid(), now() + interval '1 hour')");
  await watcher.next('presence', ({ online }) => online);
  expect(await isOnline()).toBe(true);
  // The hour has passed.
  await pool.query('update presence set expires_at = now()');
  await watcher.next('presence', ({ online }) => !online);
  expect(await isOnline()).toBe(false);
  expect((await server.request('GET', '/brand')).body.online).toBe(false);
  watcher.close();
});

test('staff see who wrote the desk’s messages; the visitor’s messages have no author', async () => {
  const ana = await createStaff(server, 'authors');
  const elin = await createStaff(server, 'authors');
  const chat = await createChat(server, 'authors');
  const path = `/conversations/${chat.conversationId}`;
  const write = (by: typeof ana, text: string) =>
    by.call('POST', `${path}/messages`, { id: crypto.randomUUID(), text });
  await write(chat.visitor, 'Hello');
  await write(ana, 'Good morning');
  await write(elin, 'And from me');

  const read = await elin.call('GET', `${path}/authors?from=1&to=9`);
  expect(read.status).toBe(200);
  expect(read.body.authors.map(({ seq }: { seq: number }) => seq)).toEqual([3, 2]);
  const names = new Set(read.body.authors.map(({ author }: { author: { id: string } }) => author.id));
  expect(names.size).toBe(2);
  // Responses to both sides contain no author.
  for (const reader of [elin, chat.visitor]) {
    const { body } = await reader.call('GET', `${path}/messages`);
    expect(JSON.stringify(body)).not.toContain('author');
  }
  expect((await chat.visitor.call('GET', `${path}/authors?from=1&to=9`)).status).toBeGreaterThanOrEqual(400);
});
