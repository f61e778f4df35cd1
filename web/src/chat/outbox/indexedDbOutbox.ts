import type { Unsent } from '../model/unsent.ts';
import { lazyDatabase, requestResult, transactionDone } from './indexedDb.ts';
import type { Outbox } from './outbox.ts';

const STORE = 'unsent';
const BY_ID = 'id';

type Stored = Omit<Unsent, 'state'> & { state?: Unsent['state']; refused?: boolean };

/** Version 0.2.0 stored `refused` instead of a state. */
function stateOf({ state, refused }: Stored): Unsent['state'] {
  return state ?? (refused ? 'refused' : 'queued');
}

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

  /** Runs with the entry that has this id, or null. */
  async function change(
    id: string,
    how: (found: IDBCursorWithValue | null, unsent: IDBObjectStore) => void,
  ): Promise<void> {
    const writing = await transaction('readwrite');
    const unsent = writing.objectStore(STORE);
    const finding = unsent.index(BY_ID).openCursor(id);
    finding.onsuccess = () => how(finding.result, unsent);
    await transactionDone(writing);
  }

  async function listAll(): Promise<Unsent[]> {
    const reading = await transaction('readonly');
    const stored = await requestResult(reading.objectStore(STORE).getAll() as IDBRequest<Stored[]>);
    return stored.map((record) => ({ ...record, state: stateOf(record) }));
  }

  return {
    put: (record) =>
      change(record.id, (found, unsent) => {
        if (found && stateOf(found.value as Stored) === 'queued') return;
        found?.delete();
        // A new number, at the end.
        unsent.add(record);
      }),
    mark: ({ id, state }) => change(id, (found) => found?.update({ ...found.value, state })),
    remove: (id) => change(id, (found) => found?.delete()),
    async list(conversationId) {
      return (await listAll()).filter((record) => record.conversationId === conversationId);
    },
    listAll,
  };
}
