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
  const midnight = (daysAgo: number): number => momentOf(local, today - daysAgo * DAY_MS);
  const [start, end] = [midnight(days - 1), midnight(-1)];
  const edges =
    period === 'today'
      ? hours(start, end)
      : Array.from({ length: days + 1 }, (_, n) => midnight(days - 1 - n));
  const passed = Math.ceil((now + 1 - midnight(0)) / QUARTER_MS) * QUARTER_MS;
  const until = Math.min(midnight(days) + passed, start);
  return { edges, before: { from: midnight(2 * days - 1), until } };
}

/** The last thirty days as one slot, with the current quarter of an hour. */
export function last30Days(now: number): PeriodTimes {
  const start = Math.floor((now - DAYS['30days'] * DAY_MS) / QUARTER_MS) * QUARTER_MS;
  return { edges: [start, now + QUARTER_MS], before: { from: start, until: start } };
}

/** A day has 23 to 25 hours. Where clocks move by half an hour, the last one is short. */
function hours(start: number, end: number): number[] {
  const edges: number[] = [];
  for (let at = start; at < end; at += HOUR_MS) edges.push(at);
  return [...edges, end];
}
