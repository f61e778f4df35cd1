import { conversationsWithStoredUploads } from '../chat/images/upload/uploadMark.ts';
import type { Outbox } from '../chat/outbox/outbox.ts';
import type { ChatImages } from './images/chatImages.ts';
import type { OpenChats } from './openChats.ts';

/** Sends what an earlier visit left unsent, even in chats that nobody opens. Refused messages wait there. */
export async function resumeUnsent(
  outbox: Pick<Outbox, 'listAll'>,
  chats: Pick<OpenChats, 'open' | 'show'>,
  signal: AbortSignal,
): Promise<void> {
  const unsent = await outbox.listAll();
  if (signal.aborted) return;
  const sendable = unsent.filter(({ state }) => state === 'queued');
  for (const id of new Set(sendable.map(({ conversationId }) => conversationId))) {
    const conversation = chats.open(id);
    // Shown until its unsent messages have loaded, so that it is not closed.
    const hide = chats.show(conversation);
    const unsubscribe = conversation.subscribe(() => {
      unsubscribe();
      hide();
    });
  }
}

/** Continues uploads of an earlier visit, even in chats that nobody opens. */
export function resumeUploads(
  whose: string,
  chats: Pick<OpenChats, 'open' | 'show'>,
  images: Pick<ChatImages, 'of'>,
): void {
  for (const id of conversationsWithStoredUploads(whose)) {
    const conversation = chats.open(id);
    // Shown until its uploads have started, so that it is not closed.
    const hide = chats.show(conversation);
    images.of(conversation).then(
      ({ uploads }) => void uploads.takenOver.then(hide),
      (error: unknown) => {
        console.error('images:', error);
        hide();
      },
    );
  }
}
