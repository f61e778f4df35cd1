import type { App } from '../platform/app.ts';
import { readCounts, readFirstSteps } from '../platform/db/installation.ts';
import type { Routes } from '../platform/http/route.ts';
import { readDashboard } from './dashboard.store.ts';

export function dashboardRoutes(app: App) {
  return {
    readDashboard: async ({ query }) => ({
      dashboard: await readDashboard(app.db, { ...query, now: app.clock.now() }),
    }),
    readFirstSteps: () => readFirstSteps(app.db),
    readCounts: () => readCounts(app.db),
  } satisfies Partial<Routes>;
}
