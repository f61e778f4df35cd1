import { attempt } from './attempt.ts';

/** What somebody was typing, by conversation: it is there again after a reload, and never in another chat. */
export type Drafts = {
  read(conversationId: string): string;
  write(conversationId: string, text: string): void;
};

export function storedDrafts(storage: () => Storage, prefix = 'draft_'): Drafts {
  const key = (conversationId: string) => prefix + conversationId;
  return {
    read(conversationId) {
      return attempt(() => storage().getItem(key(conversationId))) ?? '';
    },
    write(conversationId, text) {
      attempt(() =>
        text === ''
          ? storage().removeItem(key(conversationId))
          : storage().setItem(key(conversationId), text),
      );
    },
  };
}
