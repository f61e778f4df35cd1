import { randomUUID } from 'node:crypto';
import { CLOSE_RESTART } from '@settee/protocol/frames/down';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { fakeClock } from './fakeClock.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { createChat, createStaff, createVisitor } from './people.ts';

// At two milliseconds each, these are enough to keep the last one connected for a second after the first.
const SOCKETS = 600;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ config: { socketsPerVisitor: SOCKETS } });
});
afterAll(() => server.close());

test('[OPS-12] a gateway that stops disconnects its sockets one after another, and serves the rest', async () => {
  const leaving = await server.startAnother();
  await createStaff(server, 'slowly');
  const { visitor, conversationId } = await createChat(server, 'slowly');
  // They are disconnected in the order in which they connected, so the last one must connect after all others.
  const first = await visitor.live(leaving.url);
  const between = await Promise.all(Array.from({ length: SOCKETS - 2 }, () => visitor.live(leaving.url)));
  const last = await visitor.live(leaving.url);
  const sockets = [first, ...between, last];
  last.send({ type: 'watch', conversationId, after: 0 });
  await last.next('watched');

  const stopped = leaving.stop();
  await first.until(() => first.closed !== undefined, 'the first was not closed');
  expect(last.closed).toBeUndefined();
  const id = randomUUID();
  last.send({ type: 'send', conversationId, id, text: 'still served' });
  expect(await last.next('ack')).toMatchObject({ id });
  await stopped;
  await Promise.all(sockets.map((socket) => socket.until(() => socket.closed !== undefined, 'still open')));
  expect(new Set(sockets.map(({ closed }) => closed?.code))).toEqual(new Set([CLOSE_RESTART]));
});

test('[OPS-13] a desk stays staffed while its gateway restarts, and is empty soon after if nobody returns', async () => {
  const leaving = await server.startAnother();
  const handler = await createStaff(server, 'restarted');
  const watcher = await (await createVisitor(server)).live();
  const before = await handler.live(leaving.url);
  await watcher.next('presence', ({ online }) => online);

  await leaving.stop();
  await before.until(() => before.closed !== undefined, 'still open');
  // Longer than a sweep: by now the visitors' gateway has noticed everything it can.
  await new Promise((done) => setTimeout(done, 3_000));
  const after = await handler.live();
  expect(watcher.received.filter(({ type }) => type === 'presence')).toEqual([]);

  const another = await server.startAnother();
  const moved = await handler.live(another.url);
  after.close();
  await another.stop();
  await watcher.next('presence', ({ online }) => !online);
  moved.close();
  watcher.close();
});

test('[OPS-14] a long stop because of a slow socket shows nobody as offline, and calls work as usual', async () => {
  const clock = fakeClock(Date.now());
  const leaving = await server.startAnother({ clock });
  const handler = await createStaff(server, 'patient');
  const watcher = await (await createVisitor(server)).live();
  const console = await handler.live(leaving.url);
  await watcher.next('presence', ({ online }) => online);
  const stays = new WebSocket(`${leaving.url.replace('http', 'ws')}/live`, {
    origin: server.app.config.publicUrl,
  });
  await new Promise((opened) => stays.once('open', opened));
  // It never reads the close frame.
  stays.pause();

  let ended = false;
  const stopped = leaving.stop().then(() => {
    ended = true;
  });
  await console.until(() => console.closed !== undefined, 'still open');
  // The gateway notices a moment later. Then the grace period of a reload passes.
  await new Promise((done) => setTimeout(done, 500));
  clock.advance(6_000);
  await new Promise((done) => setTimeout(done, 1_500));
  expect({ ended, gaveUp: leaving.app.stopping.aborted }).toEqual({ ended: false, gaveUp: false });
  expect(watcher.received.filter(({ type }) => type === 'presence')).toEqual([]);
  await stopped;
  expect(leaving.app.stopping.aborted).toBe(true);
  stays.terminate();
  watcher.close();
});
