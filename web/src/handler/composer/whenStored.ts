import type { LiveConversation } from '../../chat/liveConversation.ts';

/**
 * Whether the server has stored all that is on its way now. False as soon as it turned something away; and when the
 * page stops waiting.
 */
export function whenStored(
  { state, subscribe }: Pick<LiveConversation, 'state' | 'subscribe'>,
  signal: AbortSignal,
): Promise<boolean> {
  const ids = new Set(state().pending.map(({ id }) => id));
  return new Promise((resolve) => {
    const settle = (stored: boolean) => {
      unsubscribe();
      signal.removeEventListener('abort', stop);
      resolve(stored);
    };
    const stop = () => settle(false);
    const look = () => {
      const { pending, handedBack } = state();
      const left = pending.filter(({ id }) => ids.has(id));
      if (handedBack.length > 0 || left.some((each) => each.state === 'failed')) settle(false);
      else if (left.length === 0) settle(true);
    };
    const unsubscribe = subscribe(look);
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    else look();
  });
}
