import { PUSH_RENEW_BEFORE_END_MS } from '@settee/protocol/model/push';
import { type Clock, systemClock } from '../net/clock.ts';
import type { Push } from './push.ts';

const START_AFTER_MS = 100;
/** Short enough to run within the last hour of a subscription. Usually asks only the browser, not the server. */
const REFRESH_EVERY_MS = PUSH_RENEW_BEFORE_END_MS / 2;

type Page = Pick<Document, 'addEventListener' | 'removeEventListener' | 'visibilityState'>;

/** Keeps notifications active while a page is open, which may be weeks. Returns a function that stops it. */
export function startPush(
  push: Pick<Push, 'refresh'>,
  clock: Clock = systemClock,
  page: Page = document,
): () => void {
  let timer = clock.setTimeout(refresh, START_AFTER_MS);

  function refresh(): void {
    clock.clearTimeout(timer);
    timer = clock.setTimeout(refresh, REFRESH_EVERY_MS);
    push.refresh().catch((error: unknown) => console.error('notifications:', error));
  }

  // Timers stop while a machine sleeps.
  const onShown = () => page.visibilityState === 'visible' && refresh();
  page.addEventListener('visibilitychange', onShown);
  return () => {
    clock.clearTimeout(timer);
    page.removeEventListener('visibilitychange', onShown);
  };
}
