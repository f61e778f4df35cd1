import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { startJobs } from '../../src/jobs/jobs.ts';
import { unlockLostJobs } from '../../src/platform/db/workers.ts';
import { enqueueDuePushes } from '../../src/push/pushDue.store.ts';
import { type FakeClock, fakeClock } from '../support/fakeClock.ts';
import { createChat, createStaff, type Person, say } from '../support/people.ts';
import { startProduct } from '../support/productProcess.ts';
import { type PushWorld, startPushWorld } from '../support/pushWorld.ts';
import { soon } from '../support/soon.ts';

const HOUR_MS = 3_600_000;

let world: PushWorld;
beforeAll(async () => {
  world = await startPushWorld();
});
afterEach(() => world.service.answerWith('normally'));
afterAll(() => world.stop());

const query = async (text: string, values: unknown[] = []) =>
  (await world.server.app.db.pool.query(text, values)).rows;
const received = (name: string) => world.service.received(name).map(({ payload }) => payload);

/** A conversation whose desk has one subscribed device, with the same name as the desk. */
async function chatAt(alias: string) {
  await world.subscribe(await createStaff(world.server, alias), alias);
  const { visitor, conversationId } = await createChat(world.server, alias);
  return { visitor, conversationId };
}

async function write(visitor: Person, conversationId: string): Promise<void> {
  await say(visitor, conversationId);
  await query('update push_due set due_at = now() where conversation_id = $1', [conversationId]);
  await enqueueDuePushes(world.server.app.db, 'optional', 100);
}

/** Advances the clock to the next retry and returns the delay in seconds; undefined if there is no retry. */
async function letTimePass(clock: FakeClock): Promise<number | undefined> {
  const [job] = await query(
    'select extract(epoch from run_at - updated_at)::float8 as seconds from graphile_worker.jobs',
  );
  if (job === undefined) return undefined;
  clock.advance(job.seconds * 1_000);
  await query('update graphile_worker._private_jobs set run_at = now()');
  return Math.round(job.seconds);
}

/** All retry delays of a failing notification, until it is dropped or `end` is reached. */
async function waits(clock: FakeClock, end = Number.POSITIVE_INFINITY): Promise<number[]> {
  const all: number[] = [];
  while (clock.now() < end) {
    await world.runJobs(clock);
    const seconds = await letTimePass(clock);
    if (seconds === undefined) return all;
    all.push(seconds);
  }
  return all;
}

test('[PUSH-06] a push service that is down for three hours loses nothing: one notification, within five minutes', async () => {
  const { visitor, conversationId } = await chatAt('mara-outage');
  world.service.answerWith(503);
  const clock = fakeClock();
  const start = clock.now();
  await write(visitor, conversationId);
  const all = await waits(clock, start + 3 * HOUR_MS);
  expect(all.slice(0, 9)).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300]);
  expect(Math.max(...all)).toBe(300);
  expect(received('mara-outage')).toEqual([]);

  world.service.answerWith('normally');
  await world.runJobs(clock);
  expect(clock.now() - start).toBeLessThanOrEqual(3 * HOUR_MS + 5 * 60_000);
  expect(received('mara-outage')).toEqual([expect.objectContaining({ seq: 1 })]);
  expect(await waits(clock)).toEqual([]);
  expect(received('mara-outage')).toHaveLength(1);
});

test('[PUSH-06] messages during an outage become one notification, of the newest, tried at once', async () => {
  const { visitor, conversationId } = await chatAt('mara-collapse');
  world.service.answerWith(503);
  const clock = fakeClock();
  for (let turn = 0; turn < 3; turn++) {
    await write(visitor, conversationId);
    await world.runJobs(clock);
    expect(await query('select 1 from graphile_worker.jobs')).toHaveLength(1);
  }
  world.service.answerWith('normally');
  await write(visitor, conversationId);
  await world.runJobs(clock);
  expect(received('mara-collapse')).toEqual([expect.objectContaining({ seq: 4 })]);
  expect(await waits(clock)).toEqual([]);
});

test('[PUSH-06] a failing attempt does not replace a newer notification', async () => {
  const { visitor, conversationId } = await chatAt('mara-meanwhile');
  let first = true;
  world.service.answerWith(async () => {
    if (!first) return undefined;
    first = false;
    await write(visitor, conversationId);
    return 503;
  });
  await write(visitor, conversationId);
  const clock = fakeClock();
  expect(await waits(clock)).toEqual([]);
  expect(received('mara-meanwhile')).toEqual([expect.objectContaining({ seq: 2 })]);
});

test('[PUSH-06] a notification is tried for at least a day, and not for ever', async () => {
  const { visitor, conversationId } = await chatAt('mara-for-ever');
  world.service.answerWith(500);
  const clock = fakeClock();
  const start = clock.now();
  await write(visitor, conversationId);
  await waits(clock, start + HOUR_MS);
  clock.advance(22.9 * HOUR_MS);
  await world.runJobs(clock);
  expect(await query('select 1 from graphile_worker.jobs')).toHaveLength(1);
  await letTimePass(clock);
  clock.advance(HOUR_MS);
  await world.runJobs(clock);
  expect(await query('select 1 from graphile_worker.jobs')).toEqual([]);
  expect(await query(`select 1 from push_subscriptions where alias = 'mara-for-ever'`)).toHaveLength(1);
});

test('[PUSH-06] a rejected notification is tried five times', async () => {
  for (const status of [302, 403]) {
    const alias = `mara-refused-${status}`;
    const { visitor, conversationId } = await chatAt(alias);
    world.service.answerWith(status);
    await write(visitor, conversationId);
    expect([status, await waits(fakeClock())]).toEqual([status, [2, 4, 8, 16]]);
    expect(await query('select 1 from push_subscriptions where alias = $1', [alias])).toHaveLength(1);
  }
});

test('[PUSH-06] a browser that rejects for more than a day is removed, unless it accepted one meanwhile', async () => {
  const { visitor, conversationId } = await chatAt('mara-for-good');
  const left = () => query(`select refused_at from push_subscriptions where alias = 'mara-for-good'`);
  const aDayPasses = () =>
    query(`update push_subscriptions set refused_at = refused_at - interval '25 hours'`);
  const refuse = async () => {
    world.service.answerWith(403);
    await write(visitor, conversationId);
    await waits(fakeClock());
  };
  await refuse();
  await refuse();
  expect(await left()).toEqual([{ refused_at: expect.any(Date) }]);
  await aDayPasses();
  world.service.answerWith('normally');
  await write(visitor, conversationId);
  await world.runJobs();
  expect(await left()).toEqual([{ refused_at: null }]);
  await refuse();
  await aDayPasses();
  expect(await left()).toHaveLength(1);
  await refuse();
  expect(await left()).toEqual([]);
});

test('[PUSH-06] a push service’s retry time is followed, within bounds', async () => {
  const asked: [string, number][] = [
    ['120', 120],
    ['1', 2],
    ['86400', 900],
    ['soon', 2],
  ];
  for (const [at, [retryAfter, seconds]] of asked.entries()) {
    const { visitor, conversationId } = await chatAt(`mara-asked-${at}`);
    world.service.answerWith((_, response) => {
      response.writeHead(429, { 'retry-after': retryAfter }).end();
      return 429;
    });
    await write(visitor, conversationId);
    const clock = fakeClock();
    await world.runJobs(clock);
    expect([retryAfter, await letTimePass(clock)]).toEqual([retryAfter, seconds]);
    world.service.answerWith('normally');
    await world.runJobs(clock);
    expect(received(`mara-asked-${at}`)).toHaveLength(1);
  }
});

test('[PUSH-06] a browser that is gone is removed (404, 410); the person’s others are notified', async () => {
  const staff = await createStaff(world.server, 'mara-gone');
  for (const name of ['mara-gone-404', 'mara-gone-410', 'mara-stays']) await world.subscribe(staff, name);
  const { visitor, conversationId } = await createChat(world.server, 'mara-gone');
  for (const status of [404, 410]) world.service.answerWith(status, `mara-gone-${status}`);
  await write(visitor, conversationId);
  await world.runJobs();
  const left = await query("select endpoint from push_subscriptions where alias = 'mara-gone'");
  expect(left).toEqual([{ endpoint: world.service.endpointFor('mara-stays') }]);
  expect(received('mara-stays')).toHaveLength(1);
  expect(await query('select 1 from graphile_worker.jobs')).toEqual([]);
});

test('[PUSH-06] [MAIL-14] [MEDIA-03] the jobs of a killed worker are run again by another, once', async () => {
  const { config, media, log } = world.server.app;
  const { visitor, conversationId } = await chatAt('mara-killed');
  const { promise: asked, resolve: isAsked } = Promise.withResolvers<void>();
  world.service.answerWith(async () => {
    isAsked();
    await new Promise<never>(() => {});
    return 201;
  });
  const killed = await startProduct('worker', {
    DATABASE_URL: config.databaseUrl,
    SECRET: config.secret,
    VAPID_PRIVATE_KEY: config.vapid?.privateKey ?? '',
    VAPID_SUBJECT: config.vapid?.subject ?? '',
    PUSH_HOSTS: world.service.host,
    NODE_EXTRA_CA_CERTS: world.service.certificate.certPath,
  });
  onTestFinished(async () => void (await killed.stop()));
  const heartbeats = () =>
    query('select seen_at::text as at from workers where cardinality(pools) = 2 order by seen_at desc');
  await vi.waitFor(async () => expect(await heartbeats()).toHaveLength(1), soon);
  await write(visitor, conversationId);
  await asked;
  killed.signal('SIGKILL');
  await killed.ended;
  world.service.answerWith('normally');
  // Others may have short outages. Until it is lost, its jobs stay locked.
  expect(await unlockLostJobs(world.server.app.db)).toBe(0);
  await query(`update workers set seen_at = now() - interval '41 seconds'`);
  const clock = fakeClock(Date.now());
  const other = await startJobs({ config, media, push: world.push, clock, log });
  onTestFinished(() => other.stop());
  // The names of both of its runners are known before its first heartbeat.
  await vi.waitFor(async () => expect(await heartbeats()).toHaveLength(2), soon);
  for (const second of [10, 20, 30, 40]) {
    // After an outage of the database too, nobody's heartbeat is newer. Only one that stays old is lost.
    expect([second, (await heartbeats()).length]).toEqual([second, 2]);
    const [before] = await heartbeats();
    clock.advance(10_000);
    await vi.waitFor(async () => expect((await heartbeats())[0]).not.toEqual(before), soon);
  }
  await vi.waitFor(() => expect(received('mara-killed')).toHaveLength(1), soon);
  const jobs = () => query("select from graphile_worker.jobs where task_identifier = 'push'");
  await vi.waitFor(async () => expect(await jobs()).toEqual([]), soon);
  expect(received('mara-killed')).toEqual([expect.objectContaining({ conversationId, seq: 1 })]);
});
