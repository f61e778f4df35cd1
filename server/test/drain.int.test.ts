import { randomUUID } from 'node:crypto';
import { CLOSE_RESTART } from '@settee/protocol/frames/down';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { WebSocket } from 'ws';
import { realTime } from '../src/live/closeOneByOne.ts';
import { noopMetrics } from '../src/metrics/noopMetrics.ts';
import { fakeClock } from './fakeClock.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { createChat, createStaff, createVisitor } from './people.ts';

// A stop disconnects them in several steps.
const SOCKETS = 60;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ config: { socketsPerVisitor: SOCKETS } });
});
afterAll(() => server.close());

test('[OPS-11] a gateway that stops disconnects its sockets one after another, and serves the rest', async () => {
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

  // The pause after the first step ends when the test has seen enough, however slow the machine is.
  const seen = Promise.withResolvers<void>();
  const { sleep } = realTime;
  const pause = vi.spyOn(realTime, 'sleep').mockImplementation(async (ms) => {
    await seen.promise;
    await sleep(ms);
  });
  onTestFinished(() => {
    seen.resolve();
    pause.mockRestore();
  });
  const stopped = leaving.stop();
  await first.until(() => first.closed !== undefined, 'the first was not closed');
  expect(last.closed).toBeUndefined();
  const id = randomUUID();
  last.send({ type: 'send', conversationId, id, text: 'still served' });
  expect(await last.next('ack')).toMatchObject({ id });
  expect(last.closed).toBeUndefined();
  seen.resolve();
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
  const query = async (text: string) => (await server.app.db.pool.query(text)).rows;
  const [lease] = await query(
    'select extract(epoch from expires_at - now())::float8 as seconds from presence',
  );
  expect(lease.seconds).toBeLessThanOrEqual(10);
  // However slow the machine is, the rest is within these ten seconds.
  await query("update presence set expires_at = now() + interval '1 hour'");
  // Longer than a sweep: by now the visitors' gateway has noticed everything it can.
  await new Promise((done) => setTimeout(done, 3_000));
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

test('[OPS-13] a long stop because of a slow socket shows nobody as offline, and calls work as usual', async () => {
  const clock = fakeClock(Date.now());
  let left = 0;
  const socketClosed = () => {
    left += 1;
  };
  const leaving = await server.startAnother({ clock, metrics: { ...noopMetrics, socketClosed } });
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
  await console.until(() => left > 0, 'not noticed');
  clock.advance(6_000);
  expect({ ended, gaveUp: leaving.app.stopping.aborted }).toEqual({ ended: false, gaveUp: false });
  // It waits for the slow socket for some seconds more: time for a wrong report to arrive.
  await stopped;
  expect(watcher.received.filter(({ type }) => type === 'presence')).toEqual([]);
  expect(leaving.app.stopping.aborted).toBe(true);
  stays.terminate();
  watcher.close();
});
