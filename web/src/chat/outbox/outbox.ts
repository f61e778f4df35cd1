import type { OutboxEntry } from '../model/conversationState.ts';

/** The tag of the background sync. */
export const OUTBOX_SYNC = 'outbox';

/**
 * Unsent messages. Stored before they are sent and removed once the server has them, so that a reload loses nothing.
 * Sending twice is safe, because the server knows the id.
 */
export type Outbox = {
  put(entry: OutboxEntry): Promise<void>;
  remove(id: string): Promise<void>;
  /** Permanently refused: keep it for its writer, but do not send it. Not `final`: it can be sent after all. */
  refuse(id: string, final?: boolean): Promise<void>;
  /** The writer retries it. It moves to the end. */
  again(id: string): Promise<void>;
  /** The unsent messages of a conversation, in order. */
  list(conversationId: string): Promise<OutboxEntry[]>;
  /** The unsent messages of all conversations, in order. */
  listAll(): Promise<OutboxEntry[]>;
};

export function memoryOutbox(): Outbox {
  const entries = new Map<string, OutboxEntry>();
  function mark(id: string, refused: boolean): void {
    const entry = entries.get(id);
    if (entry) entries.set(id, { ...entry, refused });
  }
  return {
    async put(entry) {
      entries.set(entry.id, entry);
    },
    async remove(id) {
      entries.delete(id);
    },
    async refuse(id, final = true) {
      mark(id, final);
    },
    async again(id) {
      const entry = entries.get(id);
      entries.delete(id);
      if (entry) entries.set(id, { ...entry, refused: false });
    },
    async list(conversationId) {
      return [...entries.values()].filter((entry) => entry.conversationId === conversationId);
    },
    async listAll() {
      return [...entries.values()];
    },
  };
}
