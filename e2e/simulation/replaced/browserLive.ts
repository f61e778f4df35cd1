import type * as real from '../../../web/src/net/browserLive.ts';
import { startLive } from '../../../web/src/net/live.ts';
import { virtualClock } from '../time.ts';
import { currentBrowser } from './browser.ts';

/** The socket of the page that is just starting. */
export const startBrowserLive: typeof real.startBrowserLive = (frames, token, options) => {
  const { openSocket, onDoubt } = currentBrowser();
  return startLive({
    frames,
    manages: options?.manages ?? false,
    openSocket,
    clock: virtualClock,
    random: Math.random,
    token,
    onDoubt,
  });
};
