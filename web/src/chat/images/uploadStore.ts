import type { ImageType } from '@settee/protocol/media';
import type { View } from '../conversationState.ts';

/** What is older than this nobody waits for any more. */
export const KEPT_FOR_MS = 24 * 60 * 60_000;

/** A file on its way, as it is kept in case the page does not live to see it arrive. */
export type KeptUpload = {
  id: string;
  mediaId: string;
  conversationId: string;
  name: string;
  type: ImageType;
  width: number;
  height: number;
  /** When it was picked. No two of a conversation are alike: it is also their order. */
  at: number;
  /** What its sender had seen when sending it, however much later it arrives. */
  view?: View | undefined;
  file: Blob;
};

/**
 * Uploads under way. Each is one page's at a time: whoever put it or took it over has it until it is removed, let go,
 * or the page ends.
 */
export type UploadStore = {
  put(upload: KeptUpload): Promise<void>;
  /** Takes over what an earlier visit left of a conversation, in the order in which it was picked. */
  take(conversationId: string): Promise<KeptUpload[]>;
  /** Waits for those that other pages have now: each is this page's once its page has ended or let go of it. */
  inherit(conversationId: string, signal: AbortSignal, heir: (upload: KeptUpload) => void): Promise<void>;
  remove(id: string): Promise<void>;
  /** Another page may take it over. */
  letGo(id: string): void;
};

export function memoryUploadStore(): UploadStore {
  const kept = new Map<string, KeptUpload>();
  const held = new Set<string>();
  const waiting = new Map<string, Set<() => void>>();

  function free(id: string): void {
    held.delete(id);
    for (const next of [...(waiting.get(id) ?? [])]) if (!held.has(id)) next();
  }

  return {
    async put(upload) {
      kept.set(upload.id, upload);
      held.add(upload.id);
    },
    async take(conversationId) {
      const free = [...kept.values()]
        .filter((u) => u.conversationId === conversationId && !held.has(u.id))
        // As a database has them, by id; and then as they were picked.
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .sort((a, b) => a.at - b.at);
      for (const { id } of free) held.add(id);
      return free;
    },
    async inherit(conversationId, signal, heir) {
      for (const { id } of [...kept.values()].filter((u) => u.conversationId === conversationId)) {
        const line = waiting.get(id) ?? new Set();
        waiting.set(id, line);
        const next = (): void => {
          line.delete(next);
          const upload = kept.get(id);
          if (signal.aborted || !upload) return;
          held.add(id);
          heir(upload);
        };
        if (held.has(id)) line.add(next);
      }
    },
    async remove(id) {
      kept.delete(id);
      free(id);
    },
    letGo: free,
  };
}
