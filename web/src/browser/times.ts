import { texts } from '@settee/protocol/texts/texts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

// English dates, like all texts. Written by hand, because Intl.DateTimeFormat takes 25 ms to initialise.
const DAYS = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** Time since a moment, in the largest useful unit. */
export function relativeTime(at: number, now: number): string {
  const ago = now - at;
  if (Number.isNaN(ago)) return texts.invalidDate;
  if (ago < MINUTE_MS) return 'Just now';
  if (ago < HOUR_MS) return `${Math.floor(ago / MINUTE_MS)}m ago`;
  if (ago < DAY_MS) return `${Math.floor(ago / HOUR_MS)}h ago`;
  return `${Math.floor(ago / DAY_MS)}d ago`;
}

export function timeOfDay(at: number): string {
  if (!isTime(at)) return texts.invalidDate;
  const date = new Date(at);
  return [date.getHours(), date.getMinutes()].map((part) => String(part).padStart(2, '0')).join(':');
}

/** Today, Yesterday, Fri 13 Nov. Adds the year if it is not the current one. */
export function dayLabel(at: number, now: number): string {
  if (!isTime(at)) return texts.invalidDate;
  if (dayOf(at) === dayOf(now)) return texts.today;
  if (dayOf(at) === dayOf(yesterdayOf(now))) return texts.yesterday;
  const date = new Date(at);
  const label = `${DAYS[date.getDay()]} ${date.getDate()} ${MONTHS[date.getMonth()]}`;
  const year = date.getFullYear();
  return year === new Date(now).getFullYear() ? label : `${label} ${year}`;
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
