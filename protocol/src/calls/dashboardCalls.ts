import { Dashboard, DashboardPeriod, TimeZone } from '../model/dashboard.ts';
import { call } from './call.ts';

export const dashboardCalls = {
  readDashboard: call('GET', '/manage/dashboard', 'admin', {
    query: { period: DashboardPeriod, zone: TimeZone },
    answer: { dashboard: Dashboard },
  }),
} as const;
