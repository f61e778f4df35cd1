import { createEmitter } from '../browser/createStore.ts';
import { type Drafts, storedDrafts } from '../chat/model/drafts.ts';

/** Drafts of one member of staff, by conversation; the queue shows them too, so they can be followed. */
export type DraftStore = Drafts & { subscribe(listener: () => void): () => void };

/** Under the person's own key: who signs in next on this machine does not find them. */
export function draftStore(staffId: string, storage: () => Storage = () => localStorage): DraftStore {
  const drafts = storedDrafts(storage, `draft_${staffId}_`);
  /** Those that storage did not take, full or forbidden as it may be: they last as long as the page. */
  const unstored = new Map<string, string>();
  const changes = createEmitter();
  return {
    read: (conversationId) => unstored.get(conversationId) ?? drafts.read(conversationId),
    write(conversationId, text) {
      drafts.write(conversationId, text);
      if (drafts.read(conversationId) === text) unstored.delete(conversationId);
      else unstored.set(conversationId, text);
      changes.emit();
    },
    subscribe: changes.subscribe,
  };
}
