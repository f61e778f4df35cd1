import type { StoredUpload, UploadStore } from '../src/chat/images/upload/uploadStore.ts';

export function memoryUploadStore(): UploadStore {
  const kept = new Map<string, StoredUpload>();
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
        // In the order of the database, then in the order of picking.
        .sort((a, b) => (a.id < b.id ? -1 : 1))
        .sort((a, b) => a.at - b.at);
      for (const { id } of free) held.add(id);
      return free;
    },
    async inherit(conversationId, signal, receive) {
      for (const { id } of [...kept.values()].filter((u) => u.conversationId === conversationId)) {
        const line = waiting.get(id) ?? new Set();
        waiting.set(id, line);
        const next = (): void => {
          line.delete(next);
          const upload = kept.get(id);
          if (signal.aborted || !upload) return;
          held.add(id);
          receive(upload);
        };
        if (held.has(id)) line.add(next);
      }
    },
    async remove(id) {
      kept.delete(id);
      free(id);
    },
    release: free,
  };
}
