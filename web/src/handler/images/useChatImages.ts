import { useCallback, useSyncExternalStore } from 'react';
import type { Images } from '../../chat/images/images.ts';
import type { Upload } from '../../chat/images/upload/upload.ts';
import type { LiveConversation } from '../../chat/model/liveConversation.ts';
import { useSignedIn } from '../context.ts';

/** The images of the conversation on show, for its list. */
export function useChatImages(conversation: LiveConversation): {
  images: Images | undefined;
  uploads: readonly Upload[];
  onImages: () => void;
} {
  const { images } = useSignedIn().console;
  const onImages = useCallback(() => {
    images.of(conversation).catch((error: unknown) => console.error('images:', error));
  }, [images, conversation]);
  return {
    images: useSyncExternalStore(images.subscribe, () => images.now(conversation)),
    uploads: useSyncExternalStore(images.subscribe, () => images.uploads(conversation)),
    onImages,
  };
}
