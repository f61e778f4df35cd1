import type { LiveConversation } from '../../chat/model/liveConversation.ts';
import { waitFor } from '../../staff/waitFor.ts';
import type { ChatImages } from './chatImages.ts';

/**
 * Whether every image that is on its way now has become a message. False as soon as one did not, and when it is no
 * longer waited for.
 */
export function whenUploadsSettle(
  images: Pick<ChatImages, 'uploads' | 'subscribe'>,
  conversation: LiveConversation,
  signal: AbortSignal,
): Promise<boolean> {
  const look = () => {
    const left = images.uploads(conversation);
    if (left.length === 0) return true;
    return left.some(({ state }) => state === 'failed' || state === 'refused') ? false : undefined;
  };
  return waitFor(images.subscribe, look, signal);
}
