import type { Metrics } from './metrics.ts';

/** For tests and tools: every method does nothing. */
export const noopMetrics = new Proxy({} as Metrics, { get: () => () => {} });
