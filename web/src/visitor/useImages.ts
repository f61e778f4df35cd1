import { useCallback, useEffect, useRef, useState, useSyncExternalStore } from 'react';
import type { Images } from '../chat/images/images.ts';
import { loadImages } from '../chat/images/load.ts';
import type { Upload } from '../chat/images/upload.ts';
import { hasKeptUploads } from '../chat/images/uploadMark.ts';
import type { LiveConversation } from '../chat/liveConversation.ts';
import type { TokenHolder } from '../net/tokens.ts';

const WHOSE = 'visitor';

const none: readonly Upload[] = [];
const noUploads = { list: () => none, subscribe: () => () => undefined };

/** The images of the visitor's conversation; their script comes when there is one to send, to show or to go on with. */
export function useImages(conversation: LiveConversation, tokens: TokenHolder) {
  const [images, setImages] = useState<Images>();
  const opening = useRef<Promise<Images>>(undefined);
  const { id: conversationId } = conversation.state();

  const open = useCallback((): Promise<Images> => {
    opening.current ??= loadImages().then(
      ({ startImages }) => {
        const started = startImages({ conversationId, whose: WHOSE, tokens, conversation });
        setImages(started);
        return started;
      },
      (error: unknown) => {
        opening.current = undefined;
        throw error;
      },
    );
    return opening.current;
  }, [conversation, conversationId, tokens]);

  /** For who can do without for now. */
  const want = useCallback(() => {
    open().catch((error: unknown) => console.error('images:', error));
  }, [open]);

  useEffect(() => {
    if (hasKeptUploads(WHOSE, conversationId)) want();
    return () => {
      const opened = opening.current;
      opening.current = undefined;
      setImages(undefined);
      void opened?.then(
        ({ stop }) => stop(),
        () => undefined,
      );
    };
  }, [conversationId, want]);

  const { subscribe, list } = images?.uploads ?? noUploads;
  return { images, uploads: useSyncExternalStore(subscribe, list), open, want };
}
