import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Images } from '../chat/images/images.ts';
import type { Upload } from '../chat/images/upload/upload.ts';
import { hasStoredUploads } from '../chat/images/upload/uploadMark.ts';
import { loadImages } from '../chat/images/useImageScript.ts';
import type { LiveConversation } from '../chat/model/liveConversation.ts';
import type { TokenHolder } from '../net/tokens.ts';

const WHOSE = 'visitor';

const none: readonly Upload[] = [];
const noUploads = { list: () => none, subscribe: () => () => {} };

/** The conversation's images. Their script loads when there is an image to send, show or resume. */
export function useImages(conversation: LiveConversation, tokens: TokenHolder) {
  const [images, setImages] = useState<Images>();
  /** Null after the conversation was closed. */
  const running = useRef<Images | null>(undefined);
  const { id: conversationId } = conversation.state();

  const open = useCallback(async (): Promise<Images> => {
    const { startImages } = await loadImages();
    if (running.current === null) throw new Error('the conversation was left');
    running.current ??= startImages({ conversationId, whose: WHOSE, tokens, conversation });
    setImages(running.current);
    return running.current;
  }, [conversation, conversationId, tokens]);

  const want = useCallback(() => void open().catch(console.error), [open]);

  useEffect(() => {
    running.current = undefined;
    if (hasStoredUploads(WHOSE, conversationId)) want();
    return () => {
      running.current?.stop();
      running.current = null;
    };
  }, [conversationId, want]);

  const { subscribe, list } = images?.uploads ?? noUploads;
  return { images, uploads: useSyncExternalStore(subscribe, list), open, want };
}
