import { createEmitter } from '../browser/createStore.ts';
import type { Returned } from '../chat/model/conversationState.ts';
import {
  draftPrefix,
  listDrafts,
  removeSentText,
  type StoredDrafts,
  startsWithText,
  storedDrafts,
} from '../chat/model/drafts.ts';

/** Drafts of one staff member, by conversation. The queue shows them. */
export type DraftStore = StoredDrafts & {
  list(): string[];
  subscribe(listener: () => void): () => void;
  /** Removes text that was sent after its writer had left the composer. A composer opened since then removes it too. */
  reportSent(key: string, text: string): void;
  onSent(listener: (key: string, text: string) => void): () => void;
};

export function draftStore(staffId: string, storage: () => Storage = () => localStorage): DraftStore {
  const drafts = storedDrafts(storage, draftPrefix(staffId));
  /** Drafts that storage refused. They last as long as the page. */
  const unstored = new Map<string, string>();
  const changes = createEmitter();
  const sent = createEmitter<[key: string, text: string]>();
  const read = (conversationId: string) => unstored.get(conversationId) ?? drafts.read(conversationId);
  function write(conversationId: string, text: string): void {
    drafts.write(conversationId, text);
    if (drafts.read(conversationId) === text) unstored.delete(conversationId);
    else unstored.set(conversationId, text);
    changes.emit();
  }
  return {
    read,
    write,
    list: () => listDrafts(storage, draftPrefix(staffId), unstored),
    follow: drafts.follow,
    subscribe: changes.subscribe,
    reportSent(key, text) {
      write(key, removeSentText(text, read(key)));
      sent.emit(key, text);
    },
    onSent: sent.subscribe,
  };
}

/** Returned texts as one text. Images have none. */
export function joinTexts(handedBack: readonly Returned[]): string {
  return handedBack
    .map(({ text }) => text)
    .filter((text) => text !== '')
    .join('\n');
}

/** Puts returned text before the current draft, unless it is already there. */
export function prependDraft(returned: string, text: string): string {
  if (text === '' || returned === '' || startsWithText(returned, text)) return text || returned;
  return `${returned}\n${text}`;
}
