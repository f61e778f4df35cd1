import { Logger, run } from 'graphile-worker';
import type { Config } from '../config.ts';
import { openDatabase } from '../db/database.ts';
import type { Log } from '../log.ts';
import { reason } from '../log.ts';
import type { Clock, MediaStore, PushSender } from '../ports.ts';
import { crontab, tasks } from './tasks.ts';

const CONCURRENCY_MAX = 4;
/** One listens for new jobs for as long as the process lives; the work needs another. */
const CONNECTIONS_MIN = 2;
/** After the database was lost: as long as that lasts, jobs wait. */
const START_AGAIN_MS = 5_000;

export type JobParts = {
  config: Config;
  media: MediaStore;
  push: PushSender | undefined;
  clock: Clock;
  log: Log;
};

export type Jobs = { concurrency: number; stop(): Promise<void> };

/** Works off jobs until it is stopped, in a gateway or in a process of its own; any number may run at once. */
export async function startJobs({ config, media, push, clock, log }: JobParts): Promise<Jobs> {
  const connections = Math.max(Math.min(config.databaseConnections, CONCURRENCY_MAX + 1), CONNECTIONS_MIN);
  const concurrency = Math.min(connections, CONCURRENCY_MAX);
  const db = openDatabase(config.databaseUrl, connections);
  const start = () =>
    run({
      pgPool: db.pool,
      taskList: tasks({ db, media, push, clock, log }),
      crontab,
      concurrency,
      // Even without delay, batches are what graphile-worker 0.17 waits for when it stops, and tries again: otherwise a
      // database that is lost at the end of a job is an unhandled rejection, which ends the process.
      preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
      // Signals are the process's own business.
      noHandleSignals: true,
      logger: new Logger(() => (level, message) => pass(log, level, message)),
    });
  let runner = await start();
  let stopping = false;
  let wake = (): void => {};

  /** A lost database ends the runner. It must not end the gateway. */
  const keepRunning = async (): Promise<void> => {
    while (!stopping) {
      try {
        await runner.promise;
        if (stopping) return;
        log.error({}, 'jobs stopped by themselves');
      } catch (error) {
        log.error({ reason: reason(error) }, 'jobs stopped');
      }
      await new Promise<void>((resolve) => {
        wake = resolve;
        clock.after(START_AGAIN_MS, resolve);
      });
      if (stopping) return;
      runner = await start().catch((error: unknown) => {
        log.error({ reason: reason(error) }, 'jobs not started');
        return runner;
      });
    }
  };
  const kept = keepRunning();

  return {
    concurrency,
    async stop() {
      stopping = true;
      wake();
      // Waits for the jobs under way.
      await runner.stop().catch(() => {});
      await kept;
      await db.close();
    },
  };
}

function pass(log: Log, level: string, message: string): void {
  if (level === 'error') log.error({ message }, 'jobs');
  if (level === 'warning') log.warn({ message }, 'jobs');
}
