import type { DashboardPeriod } from '@settee/protocol/model/dashboard';
import { dateOf, momentOf, wallClock } from '../profile/wallClock.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const QUARTER_MS = HOUR_MS / 4;

const DAYS: Record<DashboardPeriod, number> = { today: 1, '7days': 7, '30days': 30 };

/** The edges of the period's slots (one more than slots), and the preceding time for comparison. */
export type PeriodTimes = { edges: number[]; before: { from: number; until: number } };

/**
 * Days start at the viewer's midnight. The preceding time has the same length and ends at the same time of day, so
 * half a day is compared with half a day. Rounded to quarters of an hour, the unit of counting.
 */
export function periodTimes(period: DashboardPeriod, zone: string, now: number): PeriodTimes {
  const local = wallClock(zone);
  const days = DAYS[period];
  const today = dateOf(local(now));
  const start = momentOf(local, today - (days - 1) * DAY_MS);
  const end = momentOf(local, today + DAY_MS);
  const edges =
    period === 'today'
      ? hours(start, end)
      : Array.from({ length: days + 1 }, (_, n) => momentOf(local, today - (days - 1 - n) * DAY_MS));
  const from = momentOf(local, today - (2 * days - 1) * DAY_MS);
  const dayBefore = momentOf(local, today - days * DAY_MS);
  const passed = Math.ceil((now + 1 - momentOf(local, today)) / QUARTER_MS) * QUARTER_MS;
  return { edges, before: { from, until: Math.min(dayBefore + passed, start) } };
}

/** A day has 23 to 25 hours. Where clocks move by half an hour, the last one is short. */
function hours(start: number, end: number): number[] {
  const edges: number[] = [];
  for (let at = start; at < end; at += HOUR_MS) edges.push(at);
  return [...edges, end];
}
