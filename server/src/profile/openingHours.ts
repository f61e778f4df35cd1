import type { DeskHours } from '@settee/protocol/model/hours';
import { dateOf, momentOf, wallClock } from './wallClock.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** Monday, 5 January 1970. */
const FIRST_MONDAY = 4 * DAY_MS;

/** Whether a desk is open, and when that changes next; null when it never does. */
export type Opening = { open: boolean; changesAt: number | null };

/** Follows local time in the desk's time zone, including daylight saving changes. */
export function openingAt({ timeZone, week }: DeskHours, now: number): Opening {
  const clock = wallClock(timeZone);
  const wall = clock(now);
  const today = dateOf(wall);
  // From yesterday: a clock that goes back may show yesterday's date again.
  const spans = Array.from({ length: 9 }, (_, n) => today + (n - 1) * DAY_MS).flatMap((date) =>
    (week[weekdayOf(date)] ?? []).map(({ from, to }) => ({
      from: date + from * MINUTE_MS,
      to: date + to * MINUTE_MS,
    })),
  );
  const open = spans.some(({ from, to }) => wall >= from && wall < to);
  const changes = spans
    .map(({ from, to }) => momentOf(clock, open ? to : from))
    .filter((at) => at > now)
    .toSorted((a, b) => a - b);
  return { open, changesAt: changes[0] ?? null };
}

function weekdayOf(date: number): number {
  return ((((date - FIRST_MONDAY) / DAY_MS) % 7) + 7) % 7;
}
