import type { Images } from '../../chat/images/images.ts';
import type { Upload } from '../../chat/images/upload.ts';
import type { LiveConversation } from '../../chat/liveConversation.ts';

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
  /** Something is on its way there, and needs nobody to arrive. */
  isBusy(conversationId: string): boolean;
  /** Nobody follows this conversation any more. */
  close(conversation: LiveConversation): void;
  stopAll(): void;
};

const nothing: readonly Upload[] = [];

export function chatImages(load: () => Promise<(conversation: LiveConversation) => Images>): ChatImages {
  const running = new Map<LiveConversation, Images>();
  const listeners = new Set<() => void>();
  const closed = new WeakSet<LiveConversation>();
  let stopped = false;

  function tell(): void {
    for (const listener of [...listeners]) listener();
  }

  function close(conversation: LiveConversation): void {
    closed.add(conversation);
    running.get(conversation)?.stop();
    running.delete(conversation);
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
      images.uploads.subscribe(tell);
      tell();
      return images;
    },
    uploads: (conversation) => running.get(conversation)?.uploads.list() ?? nothing,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    isBusy: (id) =>
      [...running.values()].some(({ uploads }) =>
        uploads
          .list()
          .some(
            ({ conversationId, state }) =>
              conversationId === id && (state === 'uploading' || state === 'checking'),
          ),
      ),
    close,
    stopAll() {
      stopped = true;
      for (const conversation of [...running.keys()]) close(conversation);
      listeners.clear();
    },
  };
}
