import type { LiveConversation } from '../../chat/model/liveConversation.ts';
import { waitFor } from '../../staff/waitFor.ts';

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
