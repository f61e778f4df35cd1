import { systemClock } from './clock.ts';
import { type IdToken, type Live, type LiveParts, startLive } from './live.ts';

/** Starts the socket of a page and checks it when the page wakes up. */
export function startBrowserLive(
  frames: LiveParts['frames'],
  token: (fresh: boolean) => Promise<IdToken>,
  { manages = false, invite }: Pick<LiveParts, 'manages' | 'invite'> = {},
): Live {
  return startLive({
    frames,
    manages,
    invite,
    openSocket: () => new WebSocket(`${location.origin.replace(/^http/, 'ws')}/live`),
    clock: systemClock,
    random: Math.random,
    token,
    onDoubt({ wake, offline }) {
      const off = new AbortController();
      const { signal } = off;
      const whenVisible = () => {
        if (document.visibilityState === 'visible') wake();
      };
      addEventListener('online', wake, { signal });
      addEventListener('offline', offline, { signal });
      addEventListener('pageshow', wake, { signal });
      document.addEventListener('visibilitychange', whenVisible, { signal });
      if (!navigator.onLine) offline();
      return () => off.abort();
    },
  });
}
