import type { OutboxEntry } from '../model/conversationState.ts';
import { requestResult, transactionDone } from './indexedDbResult.ts';
import type { Outbox } from './outbox.ts';

const STORE = 'unsent';
const BY_ID = 'id';

/**
 * The browser's outbox. The visitor and every member of staff have their own: someone may sit on both sides of a chat
 * in one browser, the visitor's service worker must not send what a handler wrote, and nobody sends in the name of
 * whoever was signed in before. The database numbers what is put, so neither a clock
 * that was set back nor a second tab can change the order.
 */
export function indexedDbOutbox(whose: string): Outbox {
  let opened: Promise<IDBDatabase> | undefined;

  /** On first use: Node has no IndexedDB, and no page needs it before it has a conversation. */
  function open(): Promise<IDBDatabase> {
    const forget = () => {
      opened = undefined;
    };
    const request = indexedDB.open(`settee-outbox-${whose}`, 1);
    request.onupgradeneeded = () =>
      request.result
        .createObjectStore(STORE, { autoIncrement: true })
        .createIndex(BY_ID, 'id', { unique: true });
    const opening = requestResult(request);
    // Some browsers close it by themselves; the next call opens it again.
    opening.then((database) => {
      database.onclose = forget;
    }, forget);
    return opening;
  }

  async function transaction(mode: IDBTransactionMode): Promise<IDBTransaction> {
    opened ??= open();
    return (await opened).transaction(STORE, mode);
  }

  /** What `how` does to the one with this id, if it is (still) there. */
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
      // Nothing more will come: so it is kept even if the page goes before it hears that it is.
      writing.commit?.();
      await transactionDone(writing);
    },
    remove: (id) => change(id, (found) => found.delete()),
    refuse: (id) => change(id, (found) => found.update({ ...found.value, refused: true })),
    again: (id) =>
      change(id, (found, unsent) => {
        found.delete();
        // A new number: the last.
        unsent.add({ ...found.value, refused: false });
      }),
    async list(conversationId) {
      return (await listAll()).filter((entry) => entry.conversationId === conversationId);
    },
    listAll,
  };
}
