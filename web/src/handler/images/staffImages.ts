import type { Images } from '../../chat/images/images.ts';
import { loadImages } from '../../chat/images/load.ts';
import type { LiveConversation } from '../../chat/model/liveConversation.ts';
import { keptAs } from '../../chat/outbox/staffOutbox.ts';
import type { TokenHolder } from '../../net/tokens.ts';
import { whenLoaded } from '../conversation/whenLoaded.ts';

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
      conversation,
      // An image is weighed against what came since it was sent; before anything has come, that cannot be told.
      loaded: () => new Promise((resolve) => whenLoaded(conversation, resolve)),
    });
}
