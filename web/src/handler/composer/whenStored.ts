import type { LiveConversation } from '../../chat/liveConversation.ts';

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
  return new Promise((resolve) => {
    const settle = (stored: boolean) => {
      unsubscribe();
      signal.removeEventListener('abort', stop);
      resolve(stored);
    };
    const stop = () => settle(false);
    const look = () => {
      const { pending, log } = state();
      const left = pending.filter((each) => ids.has(each.id) && each.state !== 'acked');
      if (left.some((each) => each.state === 'failed')) return settle(false);
      if (left.length > 0) return;
      // What was handed back has left without a trace in the log.
      const stored = new Set([...pending, ...log.messages].map(({ id }) => id));
      settle([...ids].every((id) => stored.has(id)));
    };
    const unsubscribe = subscribe(look);
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    else look();
  });
}
