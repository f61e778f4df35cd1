import type { OutboxEntry } from '../model/conversationState.ts';

/** The tag under which the browser is asked to have the outbox sent once there is a network. */
export const OUTBOX_SYNC = 'outbox';

/**
 * Unsent messages, kept before they are sent and removed once they are stored on the server, so that a reload or a
 * crash loses no words. Sending one twice is harmless: the server knows its id.
 */
export type Outbox = {
  put(entry: OutboxEntry): Promise<void>;
  remove(id: string): Promise<void>;
  /** The server refused it for good: it stays in its place, for its writer to see, and nobody sends it unasked. */
  refuse(id: string): Promise<void>;
  /** Its writer asked for it once more: it goes like one that was put just now, behind all others. */
  again(id: string): Promise<void>;
  /** A conversation's unsent messages in the order in which they were put. */
  list(conversationId: string): Promise<OutboxEntry[]>;
  /** Those of every conversation, in the same order. */
  listAll(): Promise<OutboxEntry[]>;
};

export function memoryOutbox(): Outbox {
  const entries = new Map<string, OutboxEntry>();
  function mark(id: string, refused: boolean): void {
    const entry = entries.get(id);
    if (!entry) return;
    if (!refused) entries.delete(id);
    entries.set(id, { ...entry, refused });
  }
  return {
    async put(entry) {
      entries.set(entry.id, entry);
    },
    async remove(id) {
      entries.delete(id);
    },
    async refuse(id) {
      mark(id, true);
    },
    async again(id) {
      mark(id, false);
    },
    async list(conversationId) {
      return [...entries.values()].filter((entry) => entry.conversationId === conversationId);
    },
    async listAll() {
      return [...entries.values()];
    },
  };
}
