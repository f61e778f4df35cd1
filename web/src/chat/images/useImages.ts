import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { TokenHolder } from '../../net/api.ts';
import type { LiveConversation } from '../model/liveConversation.ts';
import type { Images } from './images.ts';
import type { Upload } from './upload/upload.ts';
import { hasStoredUploads } from './upload/uploadMark.ts';
import { loadImages } from './useImageScript.ts';

const none: readonly Upload[] = [];
const noUploads = { list: () => none, subscribe: () => () => {} };

/**
 * The conversation's images. Their script loads when there is an image to send, show or resume. `whose` is the owner of
 * the stored uploads. The console has its own version, because its uploads continue while another chat is shown.
 */
export function useImages(conversation: LiveConversation, whose: string, tokens: TokenHolder) {
  const [images, setImages] = useState<Images>();
  /** Null after the conversation was closed. */
  const running = useRef<Images | null>(undefined);
  const { id: conversationId } = conversation.state();

  const open = useCallback(async (): Promise<Images> => {
    const { startImages } = await loadImages();
    if (running.current === null) throw new Error('the conversation was left');
    running.current ??= startImages({ conversationId, whose, tokens, conversation });
    setImages(running.current);
    return running.current;
  }, [conversation, conversationId, whose, tokens]);

  const want = useCallback(() => void open().catch(console.error), [open]);

  useEffect(() => {
    running.current = undefined;
    if (hasStoredUploads(whose, conversationId)) want();
    return () => {
      running.current?.stop();
      running.current = null;
    };
  }, [conversationId, whose, want]);

  const { subscribe, list } = images?.uploads ?? noUploads;
  return { images, uploads: useSyncExternalStore(subscribe, list), open, want };
}
