import { isQueued } from '../../chat/model/conversation.ts';
import type { LiveConversation } from '../../chat/model/liveConversation.ts';
import type { ChatImages } from '../images/chatImages.ts';

/**
 * Waits until the server has stored all pending messages. False if one was not, or the wait was aborted.
 * Messages refused or returned before are ignored.
 */
export function whenStored(
  { state, subscribe }: Pick<LiveConversation, 'state' | 'subscribe'>,
  signal: AbortSignal,
): Promise<boolean> {
  const ids = new Set(
    state()
      .pending.filter(isQueued)
      .map(({ id }) => id),
  );
  const look = () => {
    const { pending, log } = state();
    const left = pending.filter((each) => ids.has(each.id) && each.state !== 'acked');
    if (left.some((each) => !isQueued(each))) return false;
    if (left.length > 0) return undefined;
    // A message that its writer removed is not in the log.
    const stored = new Set([...pending, ...log.messages].map(({ id }) => id));
    return [...ids].every((id) => stored.has(id));
  };
  return waitFor(subscribe, look, signal);
}

/** Waits until every upload has become a message. False if one failed or the wait was aborted. */
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

/** The first result of `look`, now or after a change. False if aborted. */
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
