import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { Logger, run, type Task, type TaskList, type WorkerEvents } from 'graphile-worker';
import { detectIsolation } from '../images/isolation.ts';
import { CHILDREN_MAX } from '../images/limits.ts';
import { startMailScheduler } from '../mail/mailScheduler.ts';
import { MailDeferred } from '../mail/sendMail.ts';
import type { Config } from '../platform/config/config.ts';
import { countConnections, type Database, openDatabase } from '../platform/db/database.ts';
import {
  LOST_SECONDS,
  recordWorkerHeartbeat,
  removeWorker,
  unlockJobs,
  unlockLostJobs,
} from '../platform/db/workers.ts';
import { Limiter } from '../platform/limits/concurrency.ts';
import { repeatEvery } from '../platform/limits/repeatEvery.ts';
import { type Log, logFailure } from '../platform/log/log.ts';
import type { JobResult, Metrics, TaskName } from '../platform/metrics/metrics.ts';
import { noopMetrics } from '../platform/metrics/noopMetrics.ts';
import type { Clock, MailSender, MediaStore, PushSender, WebhookSender } from '../platform/ports/ports.ts';
import { startPushScheduler } from '../push/pushScheduler.ts';
import { startWebhookDeliveries } from '../webhooks/deliverWebhooks.ts';
import { superviseRunner } from './superviseRunner.ts';
import { imageCrontab, imageTasks, mailTasks, otherCrontab, otherTasks } from './tasks.ts';

/** Separate limits, so that images, an unavailable store or a slow mail server do not delay notifications. */
const IMAGES_MAX = CHILDREN_MAX;
const OTHERS_MAX = 4;
const MAILS_MAX = 2;
const HEARTBEAT_MS = 10_000;

type JobParts = {
  config: Config;
  media: MediaStore;
  push: PushSender | undefined;
  /** Without it, other processes deliver webhooks. */
  webhooks?: WebhookSender;
  mail?: MailSender | undefined;
  clock: Clock;
  log: Log;
  metrics?: Metrics;
};

export type Jobs = {
  concurrency: number;
  /** False while a lost database stops a runner. */
  areRunning(): boolean;
  stop(): Promise<void>;
};

/** One connection per kind of job listens for new ones; the work needs another. */
export function jobConnections(config: Pick<Config, 'databaseConnections' | 'mail'>): number {
  const kinds = config.mail === undefined ? 2 : 3;
  return Math.max(Math.min(config.databaseConnections, kinds + OTHERS_MAX), kinds + 1);
}

/** Runs jobs until stopped, in a gateway or in a worker. Any number of processes may run them. */
export async function startJobs({
  config,
  media,
  push,
  webhooks,
  mail,
  clock,
  log,
  metrics = noopMetrics,
}: JobParts): Promise<Jobs> {
  const connections = jobConnections(config);
  const db = openDatabase(config.databaseUrl, connections);
  metrics.watchConnections(() => countConnections(db));
  const { secret, secondFactor } = config;
  const parts = {
    ...{ db, secret, secondFactor, media, push, clock, log, metrics },
    mail: mail && { sender: mail, config },
  };
  let stopping = false;
  const runners: Awaited<ReturnType<typeof superviseRunner>>[] = [];
  const heartbeat = startHeartbeat(db, {
    clock,
    log,
    // While one runner starts again, the others still run jobs. So do all of them while the process stops: if it is
    // killed then, others must find its names.
    running: () => stopping || runners.some((each) => each.isRunning()),
  });
  const keep = (taskList: TaskList, crontab: string, concurrency: number) => {
    let pool: string | undefined;
    const events: WorkerEvents = new EventEmitter();
    events.on('pool:create', ({ workerPool }) => {
      pool = workerPool.id;
      heartbeat.add(pool);
    });
    return superviseRunner(
      async () => {
        // A runner that lost the database could not unlock its jobs.
        if (pool !== undefined) {
          await unlockJobs(db, [pool]);
          heartbeat.forget(pool);
        }
        return run({
          pgPool: db.pool,
          taskList: withMetrics(taskList, metrics),
          crontab,
          concurrency,
          events,
          // With batches, even without delay, graphile-worker 0.17 waits and retries when it stops. Without them,
          // losing the database at the end of a job is an unhandled rejection, which ends the process.
          preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
          // The process handles signals itself.
          noHandleSignals: true,
          logger: new Logger(() => (level, message, meta) => {
            if (!(meta?.error instanceof MailDeferred)) forwardLog(log, level, message);
          }),
        });
      },
      { clock, log },
    );
  };
  log.info({ isolation: (await detectIsolation()).name }, 'image process');
  const others = Math.min(connections, OTHERS_MAX);
  // In sequence: the first runner may have to create graphile-worker's tables.
  runners.push(await keep(otherTasks(parts), otherCrontab, others));
  runners.push(await keep(imageTasks(parts), imageCrontab, IMAGES_MAX));
  if (mail !== undefined) runners.push(await keep(mailTasks(parts), '', MAILS_MAX));
  // Also for mails: a reply that was not seen becomes a notification or a mail.
  const duePushes =
    push === undefined && mail === undefined
      ? undefined
      : startPushScheduler({ db, secondFactor, clock, log });
  const dueMails = mail && startMailScheduler({ db, clock, log });

  const deliveries = webhooks && startWebhookDeliveries({ db, config, webhooks, clock, log });

  return {
    concurrency: others + IMAGES_MAX + (mail === undefined ? 0 : MAILS_MAX),
    areRunning: () => runners.every((each) => each.isRunning()),
    async stop() {
      stopping = true;
      await Promise.all([
        duePushes?.stop(),
        deliveries?.stop(),
        dueMails?.stop(),
        ...runners.map((each) => each.stop()),
      ]);
      await heartbeat.stop();
      await db.close();
    },
  };
}

function forwardLog(log: Log, level: string, message: string): void {
  if (level === 'error') log.error({ message }, 'jobs');
  if (level === 'warning') log.warn({ message }, 'jobs');
}

type Heartbeat = {
  /** The name under which a runner locks jobs. Written at once, because it may lock one at once. */
  add(pool: string): void;
  forget(pool: string): void;
  stop(): Promise<void>;
};

/** Records a heartbeat while jobs run, for doctor, /readyz and the others, and frees the jobs of those without one. */
function startHeartbeat(
  db: Database,
  { clock, log, running }: { clock: Clock; log: Log; running: () => boolean },
): Heartbeat {
  const id = randomUUID();
  const pools = new Set<string>();
  /** One write after another: an older one must not replace a newer one. */
  const writes = new Limiter(1);
  let beatAt = Number.NEGATIVE_INFINITY;
  /** Since then, no heartbeat of this process was missing. */
  let steadySince = beatAt;

  const record = async (): Promise<void> => {
    await writes.run(() => recordWorkerHeartbeat(db, id, [...pools]));
    const now = clock.now();
    if (now - beatAt >= 2 * HEARTBEAT_MS) steadySince = now;
    beatAt = now;
  };
  const guarded = (work: () => Promise<void>) => logFailure(log, 'worker heartbeat failed', work);
  const beat = (): Promise<void> =>
    guarded(async () => {
      if (!running()) return;
      await record();
      // After a start or an outage of the database, the others may not have written theirs yet: a runner that lost the
      // database waits 5 s before each attempt to start again.
      const otherBeatsAreCurrent = clock.now() - steadySince >= LOST_SECONDS * 1_000;
      if (!otherBeatsAreCurrent) return;
      const rescued = await unlockLostJobs(db);
      if (rescued > 0) log.warn({ rescued }, 'jobs of a lost worker run again');
    });
  const loop = repeatEvery(clock, HEARTBEAT_MS, beat);
  return {
    add(pool) {
      pools.add(pool);
      void guarded(record);
    },
    forget: (pool) => void pools.delete(pool),
    async stop() {
      await loop.stop();
      await writes.run(() => removeWorker(db, id)).catch(() => {});
    },
  };
}

function withMetrics(tasks: TaskList, metrics: Metrics): TaskList {
  return Object.fromEntries(
    Object.entries(tasks).map(([name, task]) => [
      name,
      withTaskMetrics(name as TaskName, task as Task, metrics),
    ]),
  );
}

function withTaskMetrics(name: TaskName, task: Task, metrics: Metrics): Task {
  return async (payload, helpers) => {
    const began = performance.now();
    const note = (result: JobResult): void => metrics.job(name, result, (performance.now() - began) / 1_000);
    try {
      await task(payload, helpers);
      note('done');
    } catch (error) {
      note(helpers.job.attempts >= helpers.job.max_attempts ? 'given_up' : 'failed');
      throw error;
    }
  };
}
