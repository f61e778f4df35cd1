import { texts } from '@settee/protocol/texts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

// The product's texts are English, so its dates are too.
const LOCALE = 'en-GB';
const clockFormat = new Intl.DateTimeFormat(LOCALE, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' });
const dateFormat = new Intl.DateTimeFormat(LOCALE, {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});

/** How long ago, for a list: the unit that says enough. */
export function relativeTime(at: number, now: number): string {
  const ago = now - at;
  if (Number.isNaN(ago)) return texts.invalidDate;
  if (ago < MINUTE_MS) return 'Just now';
  if (ago < HOUR_MS) return `${Math.floor(ago / MINUTE_MS)}m ago`;
  if (ago < DAY_MS) return `${Math.floor(ago / HOUR_MS)}h ago`;
  return `${Math.floor(ago / DAY_MS)}d ago`;
}

export function timeOfDay(at: number): string {
  return isTime(at) ? clockFormat.format(at) : texts.invalidDate;
}

/** Today, Yesterday, Fri 13 Nov; with the year once it is another one. */
export function dayLabel(at: number, now: number): string {
  if (!isTime(at)) return texts.invalidDate;
  if (dayOf(at) === dayOf(now)) return texts.today;
  if (dayOf(at) === dayOf(yesterdayOf(now))) return texts.yesterday;
  const part = Object.fromEntries(dateFormat.formatToParts(at).map(({ type, value }) => [type, value]));
  const label = `${part.weekday} ${part.day} ${part.month}`;
  return new Date(at).getFullYear() === new Date(now).getFullYear() ? label : `${label} ${part.year}`;
}

/** The start of the day a moment lies in: one number per day, cheap to compare. */
export function dayOf(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

/** By the calendar: a day with a change of clocks is not 24 hours long. */
function yesterdayOf(now: number): number {
  const date = new Date(now);
  return date.setDate(date.getDate() - 1);
}

function isTime(at: number): boolean {
  return !Number.isNaN(new Date(at).getTime());
}
