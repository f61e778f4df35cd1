import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Live } from '../net/live.ts';

const SAY_CONNECTING_AFTER_MS = 2_000;
const SAY_OFFLINE_AFTER_MS = 5_000;
const SAY_BACK_FOR_MS = 2_000;

export type LineState = 'fine' | 'connecting' | 'offline' | 'back';

/**
 * What to say of the connection: nothing at first, for most breaks are over before anyone notices; and once
 * something was said, that it is over.
 */
export function useLine(live: Live): LineState {
  const status = useSyncExternalStore(live.onStatus, live.status);
  const up = status === 'open' || status === 'ended';
  const [line, setLine] = useState<LineState>('fine');
  const saidOffline = useRef(false);

  useEffect(() => {
    if (up) {
      setLine(saidOffline.current ? 'back' : 'fine');
      saidOffline.current = false;
      const timer = setTimeout(() => setLine('fine'), SAY_BACK_FOR_MS);
      return () => clearTimeout(timer);
    }
    const timers = [
      setTimeout(() => setLine('connecting'), SAY_CONNECTING_AFTER_MS),
      setTimeout(() => {
        saidOffline.current = true;
        setLine('offline');
      }, SAY_OFFLINE_AFTER_MS),
    ];
    return () => timers.forEach(clearTimeout);
  }, [up]);

  return line;
}
