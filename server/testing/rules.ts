// What the product allows, for tools and tests outside the server: settings, limits, keys. Loads no engine.
export { cookieName } from '../src/auth/cookies.ts';
export { hashPassword } from '../src/auth/passwords.ts';
export type { Staff, Visitor } from '../src/caller.ts';
export {
  BadConfig,
  type Config,
  exampleEnvironment,
  type Key,
  keys,
  ONLY_CELL,
  readConfig,
} from '../src/config/config.ts';
export { makeVapidKey, vapidPublicKey } from '../src/config/vapidKey.ts';
export { pageHeaders } from '../src/http/pageHeaders.ts';
export { forEachConcurrently } from '../src/limits/concurrency.ts';
export { SendBudgets } from '../src/limits/sendBudgets.ts';
export {
  ANSWER_BYTES_PER_POINT,
  connectionLimits,
  everyRequest,
  frameCosts,
  type Rate,
  type RateName,
  rates,
  socketBudgets,
  upgradeLimits,
  visitorReadLimits,
} from '../src/limits/table.ts';
export { VisitorReads } from '../src/limits/visitorReads.ts';
export { closedReasons, taskNames } from '../src/metrics/metrics.ts';
export { noopMetrics } from '../src/metrics/noopMetrics.ts';
export type { Announce, MediaStore, Random } from '../src/ports.ts';
