import type { MessageAuthor } from '@settee/protocol/model/author';
import { MESSAGE_PAGE } from '@settee/protocol/model/message';
import type { LiveConversation } from '../chat/model/liveConversation.ts';
import { joinTexts } from './draftStore.ts';

/** So many conversations stay followed after they were shown, so that coming back to them takes no time. */
const KEPT_CHATS = 20;

/** One that nobody looks at is cut to its newest page when it grew to so many. */
const LONG = 4 * MESSAGE_PAGE;

/** By the messages' numbers; null where nobody was named. */
export type KnownAuthors = ReadonlyMap<number, MessageAuthor['author'] | null>;

type OpenChat = {
  conversation: LiveConversation;
  shown: number;
  /** How many of the words that were handed back have been kept elsewhere. */
  rescued: number;
  unsubscribe: () => void;
  authors: KnownAuthors;
};

export type OpenChats = {
  /** The same one again while it is kept. */
  open(id: string): LiveConversation;
  /** On show until it is called off: never let go, and never cut short. */
  show(conversation: LiveConversation): () => void;
  /** Who wrote the messages of one that is kept, as far as it was read. */
  authorsOf(id: string): KnownAuthors;
  keepAuthors(id: string, authors: KnownAuthors): void;
  stopAll(): void;
};

/**
 * The conversations that are followed, the least recently opened first. Words that one of them hands back are told
 * at once, whether or not anybody looks at it.
 */
export function openChats(
  start: (id: string) => LiveConversation,
  onHandedBack: (id: string, text: string, gone: boolean, messageId: string | undefined) => void,
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
    return { conversation, shown: 0, rescued: 0, unsubscribe, authors: new Map() };
  }

  function changed(id: string, conversation: LiveConversation): void {
    const entry = kept.get(id);
    if (entry?.conversation !== conversation) return;
    saveReturnedText(id, entry);
    const { gone, log } = conversation.state();
    if (gone) remove(id, entry);
    else if (entry.shown === 0 && log.messages.length > LONG) conversation.keepNewest(MESSAGE_PAGE);
  }

  /** Elsewhere before anything can happen to this page. On show, the composer takes them out of the state itself. */
  function saveReturnedText(id: string, entry: OpenChat): void {
    const { handedBack, handedBackIds, gone } = entry.conversation.state();
    const fresh = handedBack.slice(entry.rescued);
    const text = joinTexts(fresh);
    // Several messages become one text, which is none of them.
    const messageId = fresh.length === 1 ? handedBackIds[entry.rescued] : undefined;
    entry.rescued = handedBack.length;
    if (text !== '') onHandedBack(id, text, gone, messageId);
    if (entry.shown === 0 && handedBack.length > 0) entry.conversation.tookBack();
  }

  /** Unsent words keep a conversation: only one that is followed sends them. So does an unsent image. */
  function evict(justOpened: string): void {
    for (const [id, entry] of kept) {
      if (kept.size <= most) return;
      const { pending, handedBack } = entry.conversation.state();
      const unsent = pending.length + handedBack.length > 0 || hasUnsentImages(id);
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
        saveReturnedText(id, entry);
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
