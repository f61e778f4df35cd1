import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { systemClock } from '../src/adapters/system.ts';
import { startJobs } from '../src/jobs/jobs.ts';
import type { MediaStore } from '../src/ports.ts';
import { startTestServer, type TestServer } from './harness.ts';
import { soon } from './soon.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** Starts the jobs of a process without a push key. */
function start(store: Partial<MediaStore> = {}) {
  const { config, media, log } = server.app;
  return startJobs({
    config,
    media: { ...media, ...store },
    push: undefined,
    clock: systemClock,
    log,
  });
}

async function add(task: string, payload: object = {}): Promise<void> {
  await server.app.db.pool.query('select graphile_worker.add_job($1, $2::json)', [
    task,
    JSON.stringify(payload),
  ]);
}

async function left(task: string): Promise<{ attempts: number }[]> {
  const text = 'select attempts from graphile_worker.jobs where task_identifier = $1';
  return (await server.app.db.pool.query(text, [task])).rows;
}

const isDone = (task: string) => vi.waitFor(async () => expect(await left(task)).toEqual([]), soon);

test('[PUSH-06] images that wait for object storage delay nothing else', async () => {
  const answered = Promise.withResolvers<void>();
  const remove = vi.fn(() => answered.promise);
  const jobs = await start({ remove });
  try {
    for (let count = 0; count < 10; count++) await add('removeMedia', { paths: ['uploads/none'] });
    await vi.waitFor(() => expect(remove).toHaveBeenCalledTimes(2), soon);
    await add('purgeExpired');
    await isDone('purgeExpired');
    expect(await left('removeMedia')).toHaveLength(10);
  } finally {
    answered.resolve();
    await isDone('removeMedia');
    await jobs.stop();
  }
});

test('[PUSH-06] a process without a key leaves notifications to those that have one', async () => {
  const jobs = await start();
  try {
    await add('push', { subscriptionId: randomUUID(), conversationId: randomUUID(), seq: 1 });
    await add('purgeExpired');
    await isDone('purgeExpired');
    expect(await left('push')).toEqual([{ attempts: 0 }]);
  } finally {
    await jobs.stop();
  }
});
