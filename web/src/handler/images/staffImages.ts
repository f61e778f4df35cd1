import type { Images } from '../../chat/images/images.ts';
import { loadImages } from '../../chat/images/load.ts';
import type { LiveConversation } from '../../chat/liveConversation.ts';
import type { TokenHolder } from '../../net/tokens.ts';
import { whenLoaded } from '../conversation/whenLoaded.ts';
import { keptAs } from '../staffOutbox.ts';

/** The script for images, ready for one member of staff: who signs in next sends none of their files. */
export async function staffImages(
  staffId: string,
  tokens: TokenHolder,
): Promise<(conversation: LiveConversation) => Images> {
  const { startImages } = await loadImages();
  return (conversation) =>
    startImages({
      conversationId: conversation.state().id,
      whose: keptAs(staffId),
      tokens,
      conversation: {
        // An image says what its sender had seen; before anything has come, that would be nothing at all.
        sendPicture: (...picture) =>
          new Promise((resolve) =>
            whenLoaded(conversation, () => resolve(conversation.sendPicture(...picture))),
          ),
      },
    });
}
