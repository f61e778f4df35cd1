import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Live } from '../net/live.ts';

const SAY_CONNECTING_AFTER_MS = 2_000;
const SAY_OFFLINE_AFTER_MS = 5_000;
const SAY_BACK_FOR_MS = 2_000;

export type Line = Pick<Live, 'status' | 'dead' | 'onStatus'>;

export type LineState = 'fine' | 'connecting' | 'offline' | 'back';

/**
 * The connection state to show. Short interruptions are not shown, a dead connection is shown at once, and its return
 * is shown too.
 */
export function useLine(live: Line): LineState {
  const status = useSyncExternalStore(live.onStatus, live.status);
  const up = status === 'open' || status === 'ended';
  const dead = useSyncExternalStore(live.onStatus, live.dead);
  const [line, setLine] = useState<LineState>('fine');
  const saidOffline = useRef(false);

  useEffect(() => {
    if (up && dead) return setLine('connecting');
    if (up) {
      setLine(saidOffline.current ? 'back' : 'fine');
      saidOffline.current = false;
      const timer = setTimeout(() => setLine('fine'), SAY_BACK_FOR_MS);
      return () => clearTimeout(timer);
    }
    const sayOffline = () => {
      saidOffline.current = true;
      setLine('offline');
    };
    if (dead) return sayOffline();
    const timers = [
      setTimeout(() => setLine('connecting'), SAY_CONNECTING_AFTER_MS),
      setTimeout(sayOffline, SAY_OFFLINE_AFTER_MS),
    ];
    return () => timers.forEach(clearTimeout);
  }, [up, dead]);

  return line;
}
