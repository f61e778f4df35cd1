import type { Outbox } from '../chat/outbox/outbox.ts';
import type { OpenChats } from './openChats.ts';

/** What an earlier visit left unsent goes out, also in chats that nobody opens: only one that is followed sends. Refused ones wait there to be seen. */
export async function resumeUnsent(
  outbox: Pick<Outbox, 'listAll'>,
  chats: Pick<OpenChats, 'open' | 'show'>,
  signal: AbortSignal,
): Promise<void> {
  const unsent = await outbox.listAll();
  if (signal.aborted) return;
  const goes = unsent.filter(({ refused }) => !refused);
  for (const id of new Set(goes.map(({ conversationId }) => conversationId))) {
    const conversation = chats.open(id);
    // Not yet known to have unsent words, it could be let go for the next: held until it has read them.
    const letGo = chats.show(conversation);
    const unsubscribe = conversation.subscribe(() => {
      unsubscribe();
      letGo();
    });
  }
}
