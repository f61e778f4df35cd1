import type { App } from '../app.ts';
import { readDashboard } from '../db/dashboard/dashboard.ts';
import { readCounts, readFirstSteps } from '../db/engine/installation.ts';
import type { Routes } from './route.ts';

export function dashboardRoutes(app: App) {
  return {
    readDashboard: async ({ query }) => ({
      dashboard: await readDashboard(app.db, { ...query, now: app.clock.now() }),
    }),
    readFirstSteps: () => readFirstSteps(app.db),
    readCounts: () => readCounts(app.db),
  } satisfies Partial<Routes>;
}
