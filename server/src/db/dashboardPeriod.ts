import type { DashboardPeriod } from '@settee/protocol/dashboard';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const QUARTER_MS = HOUR_MS / 4;

const DAYS: Record<DashboardPeriod, number> = { today: 1, '7days': 7, '30days': 30 };

/** The edges of a period's slots, one more than there are slots, and as much of the time before it. */
export type PeriodTimes = { edges: number[]; before: { from: number; until: number } };

/**
 * Days begin at the viewer's midnight. The time before ends as long before as the period is, at the same time of day:
 * half a day is compared with half a day. To the quarter of an hour, which is what messages are counted by.
 */
export function periodTimes(period: DashboardPeriod, zone: string, now: number): PeriodTimes {
  const local = localTime(zone);
  const days = DAYS[period];
  const today = dateOf(local(now));
  const start = startOfDay(local, today - (days - 1) * DAY_MS);
  const end = startOfDay(local, today + DAY_MS);
  const edges =
    period === 'today'
      ? hours(start, end)
      : Array.from({ length: days + 1 }, (_, n) => startOfDay(local, today - (days - 1 - n) * DAY_MS));
  const from = startOfDay(local, today - (2 * days - 1) * DAY_MS);
  const dayBefore = startOfDay(local, today - days * DAY_MS);
  const passed = Math.ceil((now + 1 - startOfDay(local, today)) / QUARTER_MS) * QUARTER_MS;
  return { edges, before: { from, until: Math.min(dayBefore + passed, start) } };
}

/** A day has 23 hours, 25, or, where clocks move by half an hour, a short one at its end. */
function hours(start: number, end: number): number[] {
  const edges: number[] = [];
  for (let at = start; at < end; at += HOUR_MS) edges.push(at);
  return [...edges, end];
}

/** What a clock on the wall shows at this moment, as if it hung in UTC. */
type LocalTime = (at: number) => number;

function localTime(zone: string): LocalTime {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: zone,
    calendar: 'gregory',
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  });
  return (at) => {
    const parts = Object.fromEntries(
      format.formatToParts(at).map(({ type, value }) => [type, Number(value)]),
    );
    const { year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0 } = parts;
    return Date.UTC(year, month - 1, day, hour, minute, second) + (((at % 1_000) + 1_000) % 1_000);
  };
}

function dateOf(local: number): number {
  return Math.floor(local / DAY_MS) * DAY_MS;
}

/** The first moment of a date. Clocks may be moved at midnight: then it begins at another hour, or has two midnights. */
function startOfDay(local: LocalTime, date: number): number {
  const offsets = [date - DAY_MS, date + DAY_MS].map((at) => local(at) - at);
  const midnights = offsets.map((offset) => date - offset).toSorted((a, b) => a - b);
  return midnights.find((at) => local(at) >= date && local(at) < date + DAY_MS) ?? date;
}
