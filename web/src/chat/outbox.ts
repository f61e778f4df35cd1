import type { Sender } from '@settee/protocol/message';
import { createStore, del, promisifyRequest, type UseStore, values } from 'idb-keyval';
import type { OutboxEntry } from './conversationState.ts';

/** The tag under which the browser is asked to have the outbox sent once there is a network. */
export const OUTBOX_SYNC = 'outbox';

/**
 * Unsent messages, kept before they are sent and removed once they are stored on the server, so that a reload or a
 * crash loses no words. Sending one twice is harmless: the server knows its id.
 */
export type Outbox = {
  put(entry: OutboxEntry): Promise<void>;
  remove(id: string): Promise<void>;
  /** A conversation's unsent messages in the order in which they were put. */
  list(conversationId: string): Promise<OutboxEntry[]>;
  /** Those of every conversation, in the same order. */
  listAll(): Promise<OutboxEntry[]>;
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
    async listAll() {
      return [...entries.values()];
    },
  };
}

/**
 * The browser's. Each side has its own: someone may sit on both sides of a chat in one browser, and the visitor's
 * service worker must not send what a handler wrote. Opened on first use: Node has no IndexedDB, and no page needs it
 * before it has a conversation.
 */
export function indexedDbOutbox(side: Sender): Outbox {
  let opened: UseStore | undefined;
  const store = () => {
    opened ??= createStore(`settee-outbox-${side}`, 'unsent');
    return opened;
  };
  async function listAll(): Promise<OutboxEntry[]> {
    const all = await values<Stored>(store());
    return all.sort((a, b) => a.order - b.order).map(({ order: _, ...entry }) => entry);
  }
  return {
    // Counted on inside the transaction: a clock that was set back or a second tab cannot change the order.
    put: (entry) =>
      store()('readwrite', (unsent) => {
        const all = unsent.getAll() as IDBRequest<Stored[]>;
        all.onsuccess = () => {
          const order = Math.max(0, ...all.result.map((other) => other.order)) + 1;
          unsent.put({ ...entry, order } satisfies Stored, entry.id);
        };
        return promisifyRequest(unsent.transaction);
      }),
    remove: (id) => del(id, store()),
    async list(conversationId) {
      return (await listAll()).filter((entry) => entry.conversationId === conversationId);
    },
    listAll,
  };
}
