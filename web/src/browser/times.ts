import { fillText, localeOf } from '@settee/protocol/texts/fillText';
import { texts } from '@settee/protocol/texts/texts';
import { dateText } from './dateText.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

// English dates are written by hand, because Intl.DateTimeFormat takes 25 ms to initialise.
const isEnglish = () => localeOf() === 'en-GB';
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Time since a moment, in the largest useful unit. */
export function relativeTime(at: number, now: number): string {
  const ago = now - at;
  if (Number.isNaN(ago)) return texts.invalidDate;
  if (ago < MINUTE_MS) return texts.justNow;
  if (ago < HOUR_MS) return fillText(texts.minutesAgo, { count: Math.floor(ago / MINUTE_MS) });
  if (ago < DAY_MS) return fillText(texts.hoursAgo, { count: Math.floor(ago / HOUR_MS) });
  return fillText(texts.daysAgo, { count: Math.floor(ago / DAY_MS) });
}

export function timeOfDay(at: number): string {
  if (!isTime(at)) return texts.invalidDate;
  if (!isEnglish()) return dateText(at, { hour: '2-digit', minute: '2-digit' });
  const date = new Date(at);
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
}

/** Today, Yesterday, Fri 13 Nov. Adds the year if it is not the current one. */
export function dayLabel(at: number, now: number): string {
  if (!isTime(at)) return texts.invalidDate;
  if (dayOf(at) === dayOf(now)) return texts.today;
  if (dayOf(at) === dayOf(yesterdayOf(now))) return texts.yesterday;
  const date = new Date(at);
  const year = date.getFullYear();
  const otherYear = year !== new Date(now).getFullYear();
  if (!isEnglish()) {
    const parts = { weekday: 'short', day: 'numeric', month: 'short' } as const;
    return dateText(at, otherYear ? { ...parts, year: 'numeric' } : parts);
  }
  const label = `${DAYS[date.getDay()]} ${date.getDate()} ${MONTHS[date.getMonth()]}`;
  return otherYear ? `${label} ${year}` : label;
}

/** The start of the local day, to compare days. */
export function dayOf(at: number): number {
  return new Date(at).setHours(0, 0, 0, 0);
}

/** Uses the calendar, because days with a clock change are not 24 hours long. */
function yesterdayOf(now: number): number {
  const date = new Date(now);
  return date.setDate(date.getDate() - 1);
}

function isTime(at: number): boolean {
  return !Number.isNaN(new Date(at).getTime());
}
