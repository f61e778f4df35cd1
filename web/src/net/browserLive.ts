import { systemClock } from './clock.ts';
import { type IdToken, type Live, type LiveParts, startLive } from './live.ts';

/** The socket of a page: same origin, the browser's clock, awake when the browser is. */
export function startBrowserLive(
  frames: LiveParts['frames'],
  token: (fresh: boolean) => Promise<IdToken>,
  { manages = false } = {},
): Live {
  return startLive({
    frames,
    manages,
    openSocket: () => new WebSocket(`${location.origin.replace(/^http/, 'ws')}/live`),
    clock: systemClock,
    random: Math.random,
    token,
    onWake(wake) {
      const whenVisible = () => {
        if (document.visibilityState === 'visible') wake();
      };
      addEventListener('online', wake);
      document.addEventListener('visibilitychange', whenVisible);
      return () => {
        removeEventListener('online', wake);
        document.removeEventListener('visibilitychange', whenVisible);
      };
    },
  });
}
