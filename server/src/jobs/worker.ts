// The process that works off jobs: node server/src/jobs/worker.ts. Any number may run.
import { Logger, run } from 'graphile-worker';
import { BadConfig, readConfig } from '../config.ts';
import { openDatabase } from '../db/database.ts';
import { createLog, type Log } from '../log.ts';
import { crontab, tasks } from './tasks.ts';

const CONCURRENCY_MAX = 4;
/** One listens for new jobs for as long as the process lives; the work needs another. */
const CONNECTIONS_MIN = 2;

async function main(): Promise<void> {
  const config = readConfig();
  const log = createLog(config.logLevel);
  const connections = Math.max(config.databaseConnections, CONNECTIONS_MIN);
  const concurrency = Math.min(connections, CONCURRENCY_MAX);
  const db = openDatabase(config.databaseUrl, connections);
  const runner = await run({
    pgPool: db.pool,
    taskList: tasks({ db, log }),
    crontab,
    concurrency,
    // Signals are handled here, in one way with the gateway.
    noHandleSignals: true,
    logger: new Logger(() => (level, message) => pass(log, level, message)),
  });
  log.info({ concurrency }, 'working');

  let stopped: Promise<void> | undefined;
  const stop = (): void => {
    if (stopped !== undefined) return;
    log.info({}, 'stopping');
    // Waits for the jobs under way.
    stopped = runner.stop();
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  await runner.promise;
  if (stopped === undefined) throw new Error('The worker stopped by itself.');
  await stopped;
  await db.close();
}

function pass(log: Log, level: string, message: string): void {
  if (level === 'error') log.error({ message }, 'jobs');
  if (level === 'warning') log.warn({ message }, 'jobs');
}

main().then(
  () => process.exit(0),
  (error: unknown) => {
    console.error(error instanceof BadConfig ? error.message : error);
    process.exit(1);
  },
);
