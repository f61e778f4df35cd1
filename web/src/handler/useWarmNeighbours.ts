import { useEffect } from 'react';
import { useSignedIn } from './context.ts';

/** Where the browser cannot tell when it is idle, this long after the last change is taken for it. */
const IDLE_AFTER_MS = 200;

/** Opens the conversations before and after the one on show, so that the next step is there at once. */
export function useWarmNeighbours(order: readonly string[], openId: string | undefined): void {
  const { console } = useSignedIn();
  const place = openId === undefined ? -1 : order.indexOf(openId);
  const next = order[place + 1];
  const previous = order[place - 1];

  useEffect(
    () => whenIdle(() => console.warm([previous, next].filter((id) => id !== undefined))),
    [console, next, previous],
  );
}

function whenIdle(work: () => void): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(work, IDLE_AFTER_MS);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(work);
  return () => cancelIdleCallback(handle);
}
