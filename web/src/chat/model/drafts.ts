import { attempt } from './attempt.ts';

/** Drafts by conversation. They survive a reload. */
export type Drafts = {
  read(conversationId: string): string;
  write(conversationId: string, text: string): void;
};

export type StoredDrafts = Drafts & {
  /** Reports when another window changes a draft. Returns a function that stops it. */
  follow(conversationId: string, changed: (before: string, text: string) => void): () => void;
};

export function storedDrafts(storage: () => Storage, prefix = 'draft_'): StoredDrafts {
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
    follow(conversationId, changed) {
      const onStorage = (event: StorageEvent) => {
        if (event.key === key(conversationId)) changed(event.oldValue ?? '', event.newValue ?? '');
      };
      globalThis.addEventListener('storage', onStorage);
      return () => globalThis.removeEventListener('storage', onStorage);
    },
  };
}

/** The key contains the staff id, so that the next person does not see the drafts. */
export function draftPrefix(staffId: string): string {
  return `draft_${staffId}_`;
}

/** The stored keys of one person's drafts and of what is stored beside them, without the prefix. */
function draftKeys(storage: () => Pick<Storage, 'key' | 'length'>, prefix: string): string[] {
  const keys = attempt(() => Array.from({ length: storage().length }, (_, at) => storage().key(at) ?? ''));
  return (keys ?? []).filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
}

/** The key of a reply or a note. Other keys belong to them. */
const DRAFT = /^[^:]+(:note)?$/;

/** Replies and notes that are drafts, also of other windows. `unstored`: those that storage refused. */
export function listDrafts(
  storage: () => Storage,
  prefix: string,
  unstored: ReadonlyMap<string, string> = new Map(),
): string[] {
  const { read } = storedDrafts(storage, prefix);
  const keys = new Set([...draftKeys(storage, prefix), ...unstored.keys()]);
  const texts = [...keys].filter((key) => DRAFT.test(key)).map((key) => unstored.get(key) ?? read(key));
  return texts.filter((text) => text.trim() !== '');
}

export function forgetDrafts(
  storage: () => Pick<Storage, 'key' | 'length' | 'removeItem'>,
  prefix: string,
): void {
  for (const key of draftKeys(storage, prefix)) attempt(() => storage().removeItem(prefix + key));
}

/** A list that is stored beside the drafts. */
export function readList<T>(drafts: Drafts, key: string): T[] {
  return attempt(() => JSON.parse(drafts.read(key) || '[]') as T[]) ?? [];
}

export function writeList(drafts: Drafts, key: string, list: readonly unknown[]): void {
  drafts.write(key, list.length > 0 ? JSON.stringify(list) : '');
}

/** The draft without the text that was sent. */
export function removeSentText(sent: string, draft: string): string {
  return startsWithText(sent, draft) ? draft.slice(sent.length + 1) : draft;
}

export function startsWithText(start: string, text: string): boolean {
  return text === start || text.startsWith(`${start}\n`);
}
