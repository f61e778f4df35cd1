// What the product allows, for tools and tests outside the server: settings, limits, keys. Loads no engine.
export { cookieName } from '../src/platform/auth/cookies.ts';
export {
  BadConfig,
  type Config,
  exampleEnvironment,
  type Key,
  keys,
  ONLY_CELL,
  readConfig,
} from '../src/platform/config/config.ts';
export { makeVapidKey, vapidPublicKey } from '../src/platform/config/vapidKey.ts';
export { forEachConcurrently } from '../src/platform/limits/concurrency.ts';
export { SendBudgets } from '../src/platform/limits/sendBudgets.ts';
export {
  ANSWER_BYTES_PER_POINT,
  connectionLimits,
  frameCosts,
  type Rate,
  rates,
  socketBudgets,
  upgradeLimits,
  visitorReadLimits,
} from '../src/platform/limits/table.ts';
export { VisitorReads } from '../src/platform/limits/visitorReads.ts';
export { closedReasons, taskNames } from '../src/platform/metrics/metrics.ts';
export { noopMetrics } from '../src/platform/metrics/noopMetrics.ts';
export type { Staff, Visitor } from '../src/platform/ports/caller.ts';
export type { Announce, MediaStore, Random } from '../src/platform/ports/ports.ts';
export { hashPassword } from '../src/staff/passwords.ts';
