import type { dashboardCalls } from '@settee/protocol/calls/dashboardCalls';
import type { App } from '../app.ts';
import { readDashboard } from '../db/dashboard/dashboard.ts';
import type { Routes } from './route.ts';

export function dashboardRoutes(app: App): Pick<Routes, keyof typeof dashboardCalls> {
  return {
    async readDashboard({ query }) {
      return { success: true, dashboard: await readDashboard(app.db, { ...query, now: app.clock.now() }) };
    },
  };
}
