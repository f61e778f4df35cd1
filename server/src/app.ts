import type { Config } from './config/config.ts';
import type { Database } from './db/engine/database.ts';
import type { DatabaseClock } from './db/engine/databaseClock.ts';
import type { Appender } from './db/message/appender.ts';
import type { SendBudgets } from './limits/sendBudgets.ts';
import type { Log } from './log/log.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Announce, Clock, MediaStore, PushSender, Random, Traces } from './ports.ts';

/** The dependencies of actions, routes and sockets. gateway.ts creates it. */
export type App = {
  config: Config;
  db: Database;
  appender: Appender;
  announce: Announce;
  media: MediaStore;
  /** Undefined without a VAPID key. */
  push: PushSender | undefined;
  /** Undefined without TRACES_URL. */
  traces: Traces | undefined;
  clock: Clock;
  random: Random;
  log: Log;
  sendBudgets: SendBudgets;
  metrics: Metrics;
  databaseClock: DatabaseClock;
  /** Aborted after the sockets have closed, before HTTP stops: cancels all waiting except for PostgreSQL. */
  stopping: AbortSignal;
};
