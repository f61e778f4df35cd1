import { conversationsWithKeptUploads } from '../../chat/images/upload/uploadMark.ts';
import type { OpenChats } from '../openChats.ts';
import type { ChatImages } from './chatImages.ts';

/** Images that an earlier visit left on their way go on, also in chats that nobody opens. */
export function resumeUploads(
  whose: string,
  chats: Pick<OpenChats, 'open' | 'show'>,
  images: Pick<ChatImages, 'of'>,
): void {
  for (const id of conversationsWithKeptUploads(whose)) {
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
