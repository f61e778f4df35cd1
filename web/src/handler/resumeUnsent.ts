import { conversationsWithStoredUploads } from '../chat/images/upload/uploadMark.ts';
import type { Outbox } from '../chat/outbox/outbox.ts';
import type { ChatImages } from './images/chatImages.ts';
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

/** Images that an earlier visit left on their way go on, also in chats that nobody opens. */
export function resumeUploads(
  whose: string,
  chats: Pick<OpenChats, 'open' | 'show'>,
  images: Pick<ChatImages, 'of'>,
): void {
  for (const id of conversationsWithStoredUploads(whose)) {
    const conversation = chats.open(id);
    // Not yet known to have any, it could be let go for the next: held until they have begun.
    const letGo = chats.show(conversation);
    images.of(conversation).then(
      ({ uploads }) => void uploads.takenOver.then(letGo),
      (error: unknown) => {
        console.error('images:', error);
        letGo();
      },
    );
  }
}
