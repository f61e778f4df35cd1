import * as v from 'valibot';
import { Dashboard, DashboardPeriod, TimeZone } from '../model/dashboard.ts';
import { MailFigure } from '../model/mail.ts';
import { Slug } from '../model/profile.ts';
import { call } from './call.ts';

export const dashboardCalls = {
  readMailFigures: call({
    route: 'GET /manage/mail',
    summary: 'Read how many mails were sent and refused; null if the installation sends none.',
    auth: 'admin',
    answer: { figures: v.nullable(v.array(MailFigure)) },
  }),
  readDashboard: call({
    route: 'GET /manage/dashboard',
    summary: 'Read the figures of the dashboard.',
    auth: 'admin',
    query: { period: DashboardPeriod, zone: TimeZone, profile: v.optional(Slug) },
    answer: { dashboard: Dashboard },
  }),
} as const;
