import type { LiveConversation } from '../../chat/model/liveConversation.ts';
import type { ChatImages } from '../images/chatImages.ts';

/**
 * Whether the server has stored all that is on its way now. False as soon as it turned something away, and when it is
 * no longer waited for. What it had turned away before is not on its way.
 */
export function whenStored(
  { state, subscribe }: Pick<LiveConversation, 'state' | 'subscribe'>,
  signal: AbortSignal,
): Promise<boolean> {
  const ids = new Set(
    state()
      .pending.filter((each) => each.state !== 'failed')
      .map(({ id }) => id),
  );
  const look = () => {
    const { pending, log } = state();
    const left = pending.filter((each) => ids.has(each.id) && each.state !== 'acked');
    if (left.some((each) => each.state === 'failed')) return false;
    if (left.length > 0) return undefined;
    // What was handed back has left without a trace in the log.
    const stored = new Set([...pending, ...log.messages].map(({ id }) => id));
    return [...ids].every((id) => stored.has(id));
  };
  return waitFor(subscribe, look, signal);
}

/**
 * Whether every image that is on its way now has become a message. False as soon as one did not, and when it is no
 * longer waited for.
 */
export function whenUploadsSettle(
  images: Pick<ChatImages, 'uploads' | 'subscribe'>,
  conversation: LiveConversation,
  signal: AbortSignal,
): Promise<boolean> {
  const look = () => {
    const left = images.uploads(conversation);
    if (left.length === 0) return true;
    return left.some(({ state }) => state === 'failed' || state === 'refused') ? false : undefined;
  };
  return waitFor(images.subscribe, look, signal);
}

/** The first answer that `look` gives, now or after a change; false when it is no longer waited for. */
function waitFor(
  subscribe: (listener: () => void) => () => void,
  look: () => boolean | undefined,
  signal: AbortSignal,
): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (known: boolean) => {
      unsubscribe();
      signal.removeEventListener('abort', stop);
      resolve(known);
    };
    const stop = () => settle(false);
    const again = () => {
      const known = look();
      if (known !== undefined) settle(known);
    };
    const unsubscribe = subscribe(again);
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    else again();
  });
}
