import type { Config } from './config/config.ts';
import type { Database } from './db/database.ts';
import type { DatabaseClock } from './db/databaseClock.ts';
import type { SendBudgets } from './limits/sendBudgets.ts';
import type { VisitorReads } from './limits/visitorReads.ts';
import type { Log } from './log/log.ts';
import type { SecurityLog } from './log/securityLog.ts';
import type { Metrics } from './metrics/metrics.ts';
import type { Announce, Appender, Clock, MediaStore, PushSender, Random, Traces } from './ports/ports.ts';

/** The dependencies of actions, routes and sockets. gateway.ts creates it. */
export type App = {
  config: Config;
  db: Database;
  /**
   * A few connections for access checks, moderation and the sweep only. A visitor who keeps the others busy can still be
   * blocked.
   */
  reserved: Database;
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
  security: SecurityLog;
  sendBudgets: SendBudgets;
  visitorReads: VisitorReads;
  metrics: Metrics;
  databaseClock: DatabaseClock;
  /** Aborted after the sockets have closed, before HTTP stops: cancels all waiting except for PostgreSQL. */
  stopping: AbortSignal;
};

/** The same with the reserved connections. */
export function withReserved(app: App): App {
  return { ...app, db: app.reserved };
}

/** New work of visitors is refused, so that staff and work in progress go first. Their pages ask again later. */
export function isBusy({ db, visitorReads }: App): boolean {
  return db.isBusy() || visitorReads.isBusy();
}
