import type { Unsent } from '../model/unsent.ts';

/** The tag of the background sync. */
export const OUTBOX_SYNC = 'outbox';

/**
 * Unsent messages, from Send until the server has them, so that a reload loses nothing. Sending twice is safe, because
 * the server knows the id.
 */
export type Outbox = {
  /** Queues a message at the end. One that is queued keeps its place. */
  put(record: Unsent): Promise<void>;
  /** Changes the state of a message in its place. */
  mark(record: Unsent): Promise<void>;
  remove(id: string): Promise<void>;
  /** The unsent messages of a conversation, in order. */
  list(conversationId: string): Promise<Unsent[]>;
  /** The unsent messages of all conversations, in order. */
  listAll(): Promise<Unsent[]>;
};

export function memoryOutbox(): Outbox {
  const records = new Map<string, Unsent>();
  return {
    async put(record) {
      if (records.get(record.id)?.state !== 'queued') records.delete(record.id);
      records.set(record.id, record);
    },
    async mark({ id, state }) {
      const found = records.get(id);
      if (found) records.set(id, { ...found, state });
    },
    async remove(id) {
      records.delete(id);
    },
    async list(conversationId) {
      return [...records.values()].filter((record) => record.conversationId === conversationId);
    },
    async listAll() {
      return [...records.values()];
    },
  };
}

/** The owner of a staff member's unsent texts and files. The next person who signs in neither reads nor sends them. */
export function staffStorageKey(staffId: string): string {
  return `owner-${staffId}`;
}
