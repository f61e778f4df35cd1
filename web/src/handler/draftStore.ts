import { createEmitter } from '../browser/createStore.ts';
import { type Drafts, storedDrafts } from '../chat/model/drafts.ts';

/** Drafts of one member of staff, by conversation; the queue shows them too, so they can be followed. */
export type DraftStore = Drafts & {
  subscribe(listener: () => void): () => void;
  /** Reports text that was sent after its writer had left the composer. A composer opened since then removes it. */
  reportSent(key: string, text: string): void;
  onSent(listener: (key: string, text: string) => void): () => void;
};

/** Under the person's own key: who signs in next on this machine does not find them. */
export function draftStore(staffId: string, storage: () => Storage = () => localStorage): DraftStore {
  const drafts = storedDrafts(storage, `draft_${staffId}_`);
  /** Those that storage did not take, full or forbidden as it may be: they last as long as the page. */
  const unstored = new Map<string, string>();
  const changes = createEmitter();
  const sent = createEmitter<[key: string, text: string]>();
  return {
    read: (conversationId) => unstored.get(conversationId) ?? drafts.read(conversationId),
    write(conversationId, text) {
      drafts.write(conversationId, text);
      if (drafts.read(conversationId) === text) unstored.delete(conversationId);
      else unstored.set(conversationId, text);
      changes.emit();
    },
    subscribe: changes.subscribe,
    reportSent: sent.emit,
    onSent: sent.subscribe,
  };
}

/** All that came back, as one text. An image comes back without words. */
export function joinTexts(handedBack: readonly string[]): string {
  return handedBack.filter((returned) => returned !== '').join('\n');
}

/** Words that came back, before whatever was written since. Those that stand there already are not put there twice. */
export function prependDraft(returned: string, text: string): string {
  if (text === '' || returned === '' || startsWithText(returned, text)) return text || returned;
  return `${returned}\n${text}`;
}

/** What was written since, without the words before it. */
export function removeSentText(returned: string, text: string): string {
  return startsWithText(returned, text) ? text.slice(returned.length + 1) : text;
}

function startsWithText(returned: string, text: string): boolean {
  return text === returned || text.startsWith(`${returned}\n`);
}
