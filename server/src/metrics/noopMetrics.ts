import type { Metrics } from './metrics.ts';

const nothing = (): void => {};

/** For whoever is not watched. */
export const noopMetrics: Metrics = {
  sent: nothing,
  appended: nothing,
  unconfirmed: nothing,
  received: nothing,
  hint: nothing,
  socketOpened: nothing,
  socketClosed: nothing,
  swept: nothing,
  push: nothing,
  job: nothing,
  http: nothing,
  watchBus: nothing,
  watchConnections: nothing,
};
