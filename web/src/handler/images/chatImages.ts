import { createEmitter } from '../../browser/createStore.ts';
import type { Images } from '../../chat/images/images.ts';
import { hasPicks, type PickStore, startPicks } from '../../chat/images/pick/pickStore.ts';
import { isRunning, type Upload } from '../../chat/images/upload/upload.ts';
import { loadImages } from '../../chat/images/useImageScript.ts';
import type { LiveConversation } from '../../chat/model/liveConversation.ts';
import { staffStorageKey } from '../../chat/outbox/outbox.ts';
import type { TokenHolder } from '../../net/api.ts';
import { whenLoaded } from '../conversation/whenLoaded.ts';

/** Images of the open conversations, and this person's uploads. Uploads continue while another chat is shown. */
export type ChatImages = {
  now(conversation: LiveConversation): Images | undefined;
  /** Loads the image script the first time. */
  of(conversation: LiveConversation): Promise<Images>;
  uploads(conversation: LiveConversation): readonly Upload[];
  subscribe(listener: () => void): () => void;
  picks(conversation: LiveConversation): PickStore;
  /** An upload is running. */
  isBusy(conversationId: string): boolean;
  /** An upload is running or an image is in the composer. */
  hasUnsent(conversationId: string): boolean;
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
      .some((upload) => upload.conversationId === id && isRunning(upload));
  }

  return {
    now: (conversation) => running.get(conversation),
    async of(conversation) {
      const start = await load();
      const before = running.get(conversation);
      if (before) return before;
      // Uploads must not start in the next person's session.
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
      // An image is guarded against messages that arrived since it was sent, so the conversation must be
      // loaded.
      loaded: () => new Promise((resolve) => whenLoaded(conversation, resolve)),
    });
}
