import { attempt } from './attempt.ts';

/** Drafts by conversation. They survive a reload. */
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
