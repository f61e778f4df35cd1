import { texts } from '@settee/protocol/texts/texts';
import { dayOf, timeOfDay } from '../browser/times.ts';

/** "Back Monday at 09:00", in the reader's own time zone. */
export function backWords(until: number, now: number): string {
  const days = Math.round((dayOf(until) - dayOf(now)) / 86_400_000);
  return texts.back
    .replace('{day}', dayWords(until, days))
    .replace('{time}', timeOfDay(until))
    .replace('  ', ' ');
}

function dayWords(until: number, days: number): string {
  if (days <= 0) return '';
  if (days === 1) return texts.tomorrow;
  const format: Intl.DateTimeFormatOptions =
    days < 7 ? { weekday: 'long' } : { day: 'numeric', month: 'long' };
  return new Intl.DateTimeFormat('en-GB', format).format(until);
}
