import { PUSH_RENEW_BEFORE_END_MS } from '@settee/protocol/model/push';
import { type Clock, systemClock } from '../net/clock.ts';
import type { Push } from './push.ts';

const READ_AFTER_MS = 100;
/** Often enough to meet the last hour of a subscription. It asks the browser alone; the server only when it is time. */
const AGAIN_AFTER_MS = PUSH_RENEW_BEFORE_END_MS / 2;

type Page = Pick<Document, 'addEventListener' | 'removeEventListener' | 'visibilityState'>;

/** For as long as a page is open, which may be weeks: what is on is kept alive. Answers how to call it off. */
export function startPush(
  push: Pick<Push, 'refresh'>,
  clock: Clock = systemClock,
  page: Page = document,
): () => void {
  let timer = clock.setTimeout(refresh, READ_AFTER_MS);

  function refresh(): void {
    clock.clearTimeout(timer);
    timer = clock.setTimeout(refresh, AGAIN_AFTER_MS);
    push.refresh().catch((error: unknown) => console.error('notifications:', error));
  }

  // Timers stand still while a machine sleeps.
  const onShown = () => page.visibilityState === 'visible' && refresh();
  page.addEventListener('visibilitychange', onShown);
  return () => {
    clock.clearTimeout(timer);
    page.removeEventListener('visibilitychange', onShown);
  };
}
