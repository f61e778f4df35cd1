import type { LiveConversation } from '../../chat/liveConversation.ts';
import type { ChatImages } from './chatImages.ts';

/**
 * Whether every image that is on its way now has become a message. False as soon as one did not, and when it is no
 * longer waited for.
 */
export function whenBrought(
  images: Pick<ChatImages, 'uploads' | 'subscribe'>,
  conversation: LiveConversation,
  signal: AbortSignal,
): Promise<boolean> {
  return new Promise((resolve) => {
    const settle = (brought: boolean) => {
      unsubscribe();
      signal.removeEventListener('abort', stop);
      resolve(brought);
    };
    const stop = () => settle(false);
    const look = () => {
      const left = images.uploads(conversation);
      if (left.length === 0) settle(true);
      else if (left.some(({ state }) => state === 'failed' || state === 'refused')) settle(false);
    };
    const unsubscribe = images.subscribe(look);
    signal.addEventListener('abort', stop);
    if (signal.aborted) stop();
    else look();
  });
}
