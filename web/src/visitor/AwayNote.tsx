import type { Away } from '@settee/protocol/model/conversation';
import { fillText } from '@settee/protocol/texts/fillText';
import { texts } from '@settee/protocol/texts/texts';
import { visitorMailTexts } from '@settee/protocol/texts/visitorMailTexts';
import { useEffect, useState } from 'react';
import { dateText } from '../browser/dateText.ts';
import { dayOf, timeOfDay } from '../browser/times.ts';
import { Button } from '../ui/Button.tsx';
import styles from './AwayNote.module.css';

/** Shown outside the opening hours. It disappears at the announced time, even while offline. */
type AwayNoteProps = { away: Away; onMail?: (() => void) | undefined };

export function AwayNote({ away: { message, until }, onMail }: AwayNoteProps) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  if (until !== null && until <= now) return null;
  return (
    <div className={styles.away}>
      <p role="status" dir="auto">
        {message || texts.away} {until !== null && <b>{backAtText(until, now)}</b>}
      </p>
      {onMail && (
        <Button look="bare" onClick={onMail}>
          {visitorMailTexts.title}
        </Button>
      )}
    </div>
  );
}

/** "Back Monday at 09:00", in the reader's time zone. */
export function backAtText(until: number, now: number): string {
  const days = Math.round((dayOf(until) - dayOf(now)) / 86_400_000);
  const time = timeOfDay(until);
  if (days <= 0) return fillText(texts.backToday, { time });
  if (days === 1) return fillText(texts.backTomorrow, { time });
  if (days < 7) return fillText(texts.back, { day: dateText(until, { weekday: 'long' }), time });
  return fillText(texts.backOn, { date: dateText(until, { day: 'numeric', month: 'long' }), time });
}
