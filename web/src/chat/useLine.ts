import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Live } from '../net/live.ts';

const SHOW_CONNECTING_AFTER_MS = 2_000;
const SHOW_OFFLINE_AFTER_MS = 5_000;
const SHOW_BACK_FOR_MS = 2_000;

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
  const shownOffline = useRef(false);

  useEffect(() => {
    if (up && dead) return setLine('connecting');
    if (up) {
      setLine(shownOffline.current ? 'back' : 'fine');
      shownOffline.current = false;
      const timer = setTimeout(() => setLine('fine'), SHOW_BACK_FOR_MS);
      return () => clearTimeout(timer);
    }
    const showOffline = () => {
      shownOffline.current = true;
      setLine('offline');
    };
    if (dead) return showOffline();
    const timers = [
      setTimeout(() => setLine('connecting'), SHOW_CONNECTING_AFTER_MS),
      setTimeout(showOffline, SHOW_OFFLINE_AFTER_MS),
    ];
    return () => timers.forEach(clearTimeout);
  }, [up, dead]);

  return line;
}
