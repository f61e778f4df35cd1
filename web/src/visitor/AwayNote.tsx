import type { Away } from '@settee/protocol/model/conversation';
import { texts } from '@settee/protocol/texts/texts';
import { useEffect, useState } from 'react';
import { dayOf, timeOfDay } from '../browser/times.ts';
import styles from './AwayNote.module.css';

/** Shown outside the opening hours. It disappears at the announced time, even while offline. */
export function AwayNote({ away: { message, until } }: { away: Away }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  if (until !== null && until <= now) return null;
  return (
    <p className={styles.away} role="status" dir="auto">
      {message} {until !== null && <b>{backAtText(until, now)}</b>}
    </p>
  );
}

/** "Back Monday at 09:00", in the reader's time zone. */
export function backAtText(until: number, now: number): string {
  const days = Math.round((dayOf(until) - dayOf(now)) / 86_400_000);
  return texts.back
    .replace('{day}', dayText(until, days))
    .replace('{time}', timeOfDay(until))
    .replace('  ', ' ');
}

function dayText(until: number, days: number): string {
  if (days <= 0) return '';
  if (days === 1) return texts.tomorrow;
  const format: Intl.DateTimeFormatOptions =
    days < 7 ? { weekday: 'long' } : { day: 'numeric', month: 'long' };
  return new Intl.DateTimeFormat('en-GB', format).format(until);
}
