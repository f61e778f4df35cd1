import { useEffect, useState, useSyncExternalStore } from 'react';
import type { Live } from '../net/live.ts';

const SAY_CONNECTING_AFTER_MS = 2_000;
const SAY_OFFLINE_AFTER_MS = 5_000;

/** What to say of the connection: nothing at first, for most breaks are over before anyone notices. */
export function useLine(live: Live): 'fine' | 'connecting' | 'offline' {
  const status = useSyncExternalStore(live.onStatus, live.status);
  const up = status === 'open' || status === 'ended';
  const [line, setLine] = useState<'fine' | 'connecting' | 'offline'>('fine');

  useEffect(() => {
    if (up) return setLine('fine');
    const timers = [
      setTimeout(() => setLine('connecting'), SAY_CONNECTING_AFTER_MS),
      setTimeout(() => setLine('offline'), SAY_OFFLINE_AFTER_MS),
    ];
    return () => timers.forEach(clearTimeout);
  }, [up]);

  return line;
}
