import type { LiveConversation } from '../../chat/model/liveConversation.ts';

/** Runs at once if loaded, so that a loaded conversation renders in the same frame. */
export function whenLoaded(
  conversation: Pick<LiveConversation, 'state' | 'subscribe'>,
  work: () => void,
): void {
  if (conversation.state().loaded) {
    work();
    return;
  }
  const off = conversation.subscribe(() => {
    if (!conversation.state().loaded) return;
    off();
    work();
  });
}
