import type { OutboxEntry } from '../model/conversationState.ts';
import { lazyDatabase, requestResult, transactionDone } from './indexedDb.ts';
import type { Outbox } from './outbox.ts';

const STORE = 'unsent';
const BY_ID = 'id';

/**
 * The outbox in IndexedDB, separate for the visitor and each staff member. One browser may have both sides open, the
 * visitor's service worker must not send a handler's messages, and nobody may send in another person's name. The
 * database numbers the entries, so clock changes and second tabs cannot change the order.
 */
export function indexedDbOutbox(whose: string): Outbox {
  const open = lazyDatabase(`settee-outbox-${whose}`, (database) =>
    database.createObjectStore(STORE, { autoIncrement: true }).createIndex(BY_ID, 'id', { unique: true }),
  );

  async function transaction(mode: IDBTransactionMode): Promise<IDBTransaction> {
    return (await open()).transaction(STORE, mode);
  }

  /** Changes the entry with this id, if it exists. */
  async function change(
    id: string,
    how: (found: IDBCursorWithValue, unsent: IDBObjectStore) => void,
  ): Promise<void> {
    const writing = await transaction('readwrite');
    const unsent = writing.objectStore(STORE);
    const finding = unsent.index(BY_ID).openCursor(id);
    finding.onsuccess = () => {
      if (finding.result) how(finding.result, unsent);
    };
    await transactionDone(writing);
  }

  async function listAll(): Promise<OutboxEntry[]> {
    const reading = await transaction('readonly');
    return requestResult(reading.objectStore(STORE).getAll() as IDBRequest<OutboxEntry[]>);
  }

  return {
    async put(entry) {
      const writing = await transaction('readwrite');
      writing.objectStore(STORE).add(entry);
      // Commit now, so that it is stored even if the page closes.
      writing.commit?.();
      await transactionDone(writing);
    },
    remove: (id) => change(id, (found) => found.delete()),
    refuse: (id, final = true) => change(id, (found) => found.update({ ...found.value, refused: final })),
    again: (id) =>
      change(id, (found, unsent) => {
        found.delete();
        // A new number, at the end.
        unsent.add({ ...found.value, refused: false });
      }),
    async list(conversationId) {
      return (await listAll()).filter((entry) => entry.conversationId === conversationId);
    },
    listAll,
  };
}
