import { useEffect, useState } from 'react';

const LATE_AFTER_MS = 400;

/** True once something has been awaited long enough to be worth a word: what comes at once should not flicker. */
export function useLate(waiting: boolean): boolean {
  const [late, setLate] = useState(false);
  useEffect(() => {
    if (!waiting) return setLate(false);
    const timer = setTimeout(() => setLate(true), LATE_AFTER_MS);
    return () => clearTimeout(timer);
  }, [waiting]);
  return late;
}
