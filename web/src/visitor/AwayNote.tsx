import type { Away } from '@settee/protocol/model/conversation';
import { useEffect, useState } from 'react';
import styles from './AwayNote.module.css';
import { backWords } from './backWords.ts';

/** Above the composer, outside the opening hours. It goes at the time it names, even if the line is down. */
export function AwayNote({ away: { message, until } }: { away: Away }) {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), 30_000);
    return () => clearInterval(timer);
  }, []);
  if (until !== null && until <= now) return null;
  return (
    <p className={styles.away} role="status" dir="auto">
      {message} {until !== null && <b>{backWords(until, now)}</b>}
    </p>
  );
}
