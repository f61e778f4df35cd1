import type { LiveConversation } from '../../chat/model/liveConversation.ts';

/** At once where it can be: a conversation that is there is drawn in the same frame. */
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
