import * as v from 'valibot';
import { Dashboard, DashboardPeriod, TimeZone } from '../model/dashboard.ts';
import { MailFigure } from '../model/mail.ts';
import { call } from './call.ts';

export const dashboardCalls = {
  /** Null if the installation sends no mail. */
  readMailFigures: call({
    route: 'GET /manage/mail',
    summary: 'Read how many mails were sent and refused; null if the installation sends none.',
    auth: 'admin',
    rate: ['staffReads'],
    answer: { figures: v.nullable(v.array(MailFigure)) },
  }),
  readDashboard: call({
    route: 'GET /manage/dashboard',
    summary: 'Read the figures of the dashboard.',
    auth: 'admin',
    rate: ['staffReads'],
    query: { period: DashboardPeriod, zone: TimeZone },
    answer: { dashboard: Dashboard },
  }),
} as const;
