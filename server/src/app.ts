import type { Config } from './config/config.ts';
import type { Database } from './db/engine/database.ts';
import type { Appender } from './db/message/appender.ts';
import type { SendBudgets } from './limits/sendBudgets.ts';
import type { Log } from './log/log.ts';
import type { DatabaseClock } from './metrics/databaseClock.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Announce, Clock, MediaStore, PushSender, Random, Traces } from './ports.ts';

/** What every action and door is handed. Built once, in main.ts; in tests, by the harness. */
export type App = {
  config: Config;
  db: Database;
  appender: Appender;
  announce: Announce;
  media: MediaStore;
  /** Missing where the installation has no key for notifications. */
  push: PushSender | undefined;
  /** Missing unless the operator asked for traces. */
  traces: Traces | undefined;
  clock: Clock;
  random: Random;
  log: Log;
  sendBudgets: SendBudgets;
  metrics: Metrics;
  databaseClock: DatabaseClock;
  /** Fires when the gateway's sockets have gone and HTTP is about to end: whoever waits for anything but PostgreSQL stops waiting. */
  stopping: AbortSignal;
};
