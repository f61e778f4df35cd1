import { MESSAGE_PAGE } from '@settee/protocol/model/message';
import type { LiveConversation } from '../chat/model/liveConversation.ts';
import type { KnownAuthors } from '../staff/useAuthors.ts';

/** Conversations that stay open after they were shown. */
const KEPT_CHATS = 20;

/** A hidden conversation is cut to its newest page at this length. */
const LONG = 4 * MESSAGE_PAGE;

type OpenChat = {
  conversation: LiveConversation;
  shown: number;
  unsubscribe: () => void;
  authors: KnownAuthors;
};

export type OpenChats = {
  open(id: string): LiveConversation;
  /** Shown conversations are never closed or cut. Call the result to hide it. */
  show(conversation: LiveConversation): () => void;
  authorsOf(id: string): KnownAuthors;
  keepAuthors(id: string, authors: KnownAuthors): void;
  stopAll(): void;
};

/** The open conversations, least recently opened first. Reports one that goes before its text was sent. */
export function openChats(
  start: (id: string) => LiveConversation,
  onLeftUnsent: () => void,
  hasUnsentImages: (id: string) => boolean,
  most = KEPT_CHATS,
): OpenChats {
  const kept = new Map<string, OpenChat>();

  function open(id: string): LiveConversation {
    const before = kept.get(id);
    const entry = before ?? started(id);
    kept.delete(id);
    kept.set(id, entry);
    if (!before) evict(id);
    return entry.conversation;
  }

  function started(id: string): OpenChat {
    const conversation = start(id);
    const unsubscribe = conversation.subscribe(() => changed(id, conversation));
    return { conversation, shown: 0, unsubscribe, authors: new Map() };
  }

  function changed(id: string, conversation: LiveConversation): void {
    const entry = kept.get(id);
    if (entry?.conversation !== conversation) return;
    const { gone, log, pending } = conversation.state();
    if (gone && pending.some(({ state }) => state === 'refused')) onLeftUnsent();
    if (gone) remove(id, entry);
    else if (entry.shown === 0 && log.messages.length > LONG) conversation.keepNewest(MESSAGE_PAGE);
  }

  /** Unsent text or images keep a conversation open, because only open ones send. */
  function evict(justOpened: string): void {
    for (const [id, entry] of kept) {
      if (kept.size <= most) return;
      const unsent = entry.conversation.state().pending.length > 0 || hasUnsentImages(id);
      if (id !== justOpened && entry.shown === 0 && !unsent) remove(id, entry);
    }
  }

  function remove(id: string, entry: OpenChat): void {
    kept.delete(id);
    entry.unsubscribe();
    if (entry.shown === 0) entry.conversation.stop();
  }

  return {
    open,
    show(conversation) {
      const { id } = conversation.state();
      const entry = kept.get(id);
      if (entry?.conversation !== conversation) return () => conversation.stop();
      entry.shown += 1;
      return () => {
        entry.shown -= 1;
        if (entry.shown > 0) return;
        if (kept.get(id) !== entry) return conversation.stop();
        if (conversation.state().log.messages.length > MESSAGE_PAGE) conversation.keepNewest(MESSAGE_PAGE);
      };
    },
    authorsOf: (id) => kept.get(id)?.authors ?? new Map(),
    keepAuthors(id, authors) {
      const entry = kept.get(id);
      if (entry) entry.authors = authors;
    },
    stopAll() {
      for (const { conversation, unsubscribe } of kept.values()) {
        unsubscribe();
        conversation.stop();
      }
      kept.clear();
    },
  };
}
