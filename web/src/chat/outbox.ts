import { createStore, del, set, type UseStore, values } from 'idb-keyval';
import type { OutboxEntry } from './conversationState.ts';

/**
 * Unsent messages, kept before they are sent and removed once they are stored on the server, so that a reload or a
 * crash loses no words. Sending one twice is harmless: the server knows its id.
 */
export type Outbox = {
  put(entry: OutboxEntry): Promise<void>;
  remove(id: string): Promise<void>;
  /** A conversation's unsent messages in the order in which they were put. */
  list(conversationId: string): Promise<OutboxEntry[]>;
};

type Stored = OutboxEntry & { order: number };

export function memoryOutbox(): Outbox {
  const entries = new Map<string, OutboxEntry>();
  return {
    async put(entry) {
      entries.set(entry.id, entry);
    },
    async remove(id) {
      entries.delete(id);
    },
    async list(conversationId) {
      return [...entries.values()].filter((entry) => entry.conversationId === conversationId);
    },
  };
}

/** The browser's. Opened on first use: Node has no IndexedDB, and no page needs it before it has a conversation. */
export function indexedDbOutbox(now: () => number): Outbox {
  let opened: UseStore | undefined;
  let count = 0;
  const store = () => {
    opened ??= createStore('settee-outbox', 'unsent');
    return opened;
  };
  return {
    async put(entry) {
      count += 1;
      // Time alone cannot order two messages of one millisecond.
      await set(entry.id, { ...entry, order: now() * 1_000 + (count % 1_000) } satisfies Stored, store());
    },
    async remove(id) {
      await del(id, store());
    },
    async list(conversationId) {
      const all = await values<Stored>(store());
      return all
        .filter((entry) => entry.conversationId === conversationId)
        .sort((a, b) => a.order - b.order)
        .map(({ order: _, ...entry }) => entry);
    },
  };
}
