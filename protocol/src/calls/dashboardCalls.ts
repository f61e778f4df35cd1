import * as v from 'valibot';
import { Dashboard, DashboardPeriod, TimeZone } from '../model/dashboard.ts';
import { call, none, success } from './call.ts';

export const dashboardCalls = {
  readDashboard: call({
    method: 'GET',
    path: '/manage/dashboard',
    auth: 'admin',
    body: none,
    query: v.strictObject({ period: DashboardPeriod, zone: TimeZone }),
    answer: v.object({ success, dashboard: Dashboard }),
  }),
} as const;
