import type { Metrics } from './metrics.ts';

const noop = (): void => {};

/** For tests and tools. */
export const noopMetrics: Metrics = {
  sent: noop,
  appended: noop,
  unconfirmed: noop,
  received: noop,
  hint: noop,
  socketOpened: noop,
  socketClosed: noop,
  swept: noop,
  push: noop,
  mail: noop,
  job: noop,
  http: noop,
  watchBus: noop,
  watchConnections: noop,
};
