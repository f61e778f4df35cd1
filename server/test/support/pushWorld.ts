import { Logger, makeWorkerUtils, runOnce } from 'graphile-worker';
import { expect, vi } from 'vitest';
import { tasks } from '../../src/jobs/tasks.ts';
import { systemClock } from '../../src/platform/adapters/system.ts';
import { makeVapidKey, vapidPublicKey } from '../../src/platform/config/vapidKey.ts';
import type { Clock, PushSender } from '../../src/platform/ports/ports.ts';
import { enqueueDuePushes } from '../../src/push/pushDue.store.ts';
import { openPush } from '../../src/push/webPush.adapter.ts';
import { type PushService, startPushService } from '../push/pushService.ts';
import { startTestServer, type TestServer } from './harness.ts';
import type { Person } from './people.ts';
import { soon } from './soon.ts';

const quiet = new Logger(() => () => {});

export type PushWorld = {
  server: TestServer;
  service: PushService;
  push: PushSender;
  publicKey: string;
  /** Subscribes this person's browser with that name. */
  subscribe(person: Person, name: string): Promise<void>;
  /** Lets the ten or thirty seconds pass: due notifications become jobs, and all due jobs run. */
  deliver(): Promise<{ taken: number; jobs: number }>;
  /** Runs only the jobs, with this clock. */
  runJobs(clock?: Clock): Promise<void>;
  stop(): Promise<void>;
};

/** A gateway and a push service that trust each other. Due notifications wait for `deliver`. */
export async function startPushWorld(more: Parameters<typeof startTestServer>[0] = {}): Promise<PushWorld> {
  const privateKey = makeVapidKey();
  const publicKey = vapidPublicKey(privateKey) ?? '';
  const service = await startPushService({ publicKey });
  const config = {
    ...more.config,
    vapid: { privateKey, subject: 'mailto:push@settee.example' },
    pushHosts: [service.host],
  };
  const push = openPush(config, systemClock, { ca: service.certificate.cert }) as PushSender;
  const server = await startTestServer({ ...more, config, push });
  const { db, media, log } = server.app;
  const { secret, secondFactor } = server.app.config;
  const utils = await makeWorkerUtils({ pgPool: db.pool, logger: quiet });
  await utils.migrate();
  await utils.release();

  const locked = async () =>
    (await db.pool.query('select id from graphile_worker.jobs where locked_at is not null')).rows.map((row) =>
      String(row.id),
    );
  const runJobs = async (clock: Clock = systemClock): Promise<void> => {
    const before = await locked();
    await runOnce({
      pgPool: db.pool,
      taskList: tasks({ db, secret, secondFactor, media, push, clock, log }),
      logger: quiet,
      noHandleSignals: true,
      concurrency: 2,
    });
    // `runOnce` returns before it has deleted the finished jobs.
    await vi.waitFor(async () => expect(before).toEqual(expect.arrayContaining(await locked())), soon);
  };
  return {
    server,
    service,
    push,
    publicKey,
    async subscribe(person, name) {
      const { status } = await person.call('PUT', '/push/subscription', service.subscription(name));
      if (status !== 200) throw new Error(`${name} was not subscribed: ${status}`);
    },
    async deliver() {
      await db.pool.query('update push_due set due_at = now() where due_at is not null');
      const handedOut = await enqueueDuePushes(db, secondFactor, 1_000);
      await runJobs();
      return handedOut;
    },
    runJobs,
    async stop() {
      await server.close();
      await service.stop();
    },
  };
}
