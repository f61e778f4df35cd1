import { useCallback, useSyncExternalStore } from 'react';
import { createEmitter } from '../../browser/createStore.ts';
import type { Images } from '../../chat/images/images.ts';
import { loadImages } from '../../chat/images/load.ts';
import { type PickStore, startPicks } from '../../chat/images/pick/pickStore.ts';
import { hasPicks } from '../../chat/images/pick/usePicks.ts';
import type { Upload } from '../../chat/images/upload/upload.ts';
import type { LiveConversation } from '../../chat/model/liveConversation.ts';
import { staffStorageKey } from '../../chat/outbox/staffOutbox.ts';
import type { TokenHolder } from '../../net/tokens.ts';
import { useSignedIn } from '../context.ts';
import { whenLoaded } from '../conversation/whenLoaded.ts';

/**
 * The images of the conversations that are open: where they can be seen, and those that this person has on their way.
 * They go on while another chat is on show, and end with their conversation or with the session.
 */
export type ChatImages = {
  /** Those of a conversation, if anybody asked for them yet. */
  now(conversation: LiveConversation): Images | undefined;
  /** Loads what is needed for images the first time. */
  of(conversation: LiveConversation): Promise<Images>;
  uploads(conversation: LiveConversation): readonly Upload[];
  subscribe(listener: () => void): () => void;
  /** What waits in a conversation's composer, for who comes back to it. */
  picks(conversation: LiveConversation): PickStore;
  /** Something is on its way there, and needs nobody to arrive. */
  isBusy(conversationId: string): boolean;
  /** The same, or waits in the composer: it would be lost with its conversation. */
  hasUnsent(conversationId: string): boolean;
  /** Nobody follows this conversation any more. */
  close(conversation: LiveConversation): void;
  stopAll(): void;
};

const nothing: readonly never[] = [];

export function chatImages(
  load: () => Promise<(conversation: LiveConversation) => Images>,
  newPicks: () => PickStore = startPicks,
): ChatImages {
  const running = new Map<LiveConversation, Images>();
  const picks = new Map<LiveConversation, PickStore>();
  const changes = createEmitter();
  const closed = new WeakSet<LiveConversation>();
  let stopped = false;

  function close(conversation: LiveConversation): void {
    closed.add(conversation);
    picks.delete(conversation);
    running.get(conversation)?.stop();
    running.delete(conversation);
  }

  function isBusy(id: string): boolean {
    return [...running.values()]
      .flatMap(({ uploads }) => uploads.list())
      .some(
        ({ conversationId, state }) =>
          conversationId === id && (state === 'uploading' || state === 'checking'),
      );
  }

  return {
    now: (conversation) => running.get(conversation),
    async of(conversation) {
      const start = await load();
      const before = running.get(conversation);
      if (before) return before;
      // Files of one person must not begin their way in the session of the next.
      if (stopped || closed.has(conversation)) throw new Error('the conversation is no longer followed');
      const images = start(conversation);
      running.set(conversation, images);
      images.uploads.subscribe(changes.emit);
      changes.emit();
      return images;
    },
    uploads: (conversation) => running.get(conversation)?.uploads.list() ?? nothing,
    subscribe: changes.subscribe,
    picks(conversation) {
      const store = picks.get(conversation) ?? newPicks();
      if (!stopped && !closed.has(conversation)) picks.set(conversation, store);
      return store;
    },
    isBusy,
    hasUnsent: (id) =>
      isBusy(id) || [...picks].some(([{ state }, store]) => state().id === id && hasPicks(store.state())),
    close,
    stopAll() {
      stopped = true;
      for (const conversation of [...running.keys(), ...picks.keys()]) close(conversation);
      changes.clear();
    },
  };
}

/** The script for images, ready for one member of staff: who signs in next sends none of their files. */
export async function staffImages(
  staffId: string,
  tokens: TokenHolder,
): Promise<(conversation: LiveConversation) => Images> {
  const { startImages } = await loadImages();
  return (conversation) =>
    startImages({
      conversationId: conversation.state().id,
      whose: staffStorageKey(staffId),
      tokens,
      conversation,
      // An image is weighed against what came since it was sent; before anything has come, that cannot be told.
      loaded: () => new Promise((resolve) => whenLoaded(conversation, resolve)),
    });
}

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
