import { lazyDatabase, requestResult } from '../../outbox/indexedDb.ts';
import type { StoredUpload, UploadStore } from './upload.ts';
import { markStoredUploads } from './uploadMark.ts';

export const STORE = 'uploads';
export const STORE_PREFIX = 'settee-uploads-';

/**
 * Stores uploads in IndexedDB, separately for the visitor and each staff member. A lock per upload, released when its
 * page closes, keeps a second tab from sending it too.
 */
export function indexedDbUploads(whose: string): UploadStore {
  const name = STORE_PREFIX + whose;
  /** Release functions of this page's locks. */
  const locks = new Map<string, () => void>();
  /** Uploads that are marked, but not stored yet. */
  const storing = new Set<string>();
  const open = lazyDatabase(name, (database) => database.createObjectStore(STORE, { keyPath: 'id' }));

  async function uploads(mode: IDBTransactionMode): Promise<IDBObjectStore> {
    return (await open()).transaction(STORE, mode).objectStore(STORE);
  }

  /** Resolves to false if another page holds the lock, unless it waits. Without lock support it always succeeds. */
  function lock(id: string, how: LockOptions = { ifAvailable: true }): Promise<boolean> {
    const manager = navigator.locks as LockManager | undefined;
    if (!manager) return Promise.resolve(!locks.has(id));
    return new Promise((resolve, reject) => {
      manager
        .request(`${name}-${id}`, how, (held) => {
          resolve(held !== null);
          return held && new Promise<void>((release) => locks.set(id, release));
        })
        .catch(reject);
    });
  }

  function release(id: string): void {
    locks.get(id)?.();
    locks.delete(id);
  }

  /** Check after locking, because its former page may have sent or cancelled it. */
  async function stillKept(id: string): Promise<StoredUpload | undefined> {
    const request = (await uploads('readonly')).get(id) as IDBRequest<StoredUpload | undefined>;
    const kept = await requestResult(request).catch(() => undefined);
    if (!kept) release(id);
    return kept;
  }

  async function ofConversation(conversationId: string): Promise<StoredUpload[]> {
    const all = await requestResult((await uploads('readonly')).getAll() as IDBRequest<StoredUpload[]>);
    return all.filter((kept) => kept.conversationId === conversationId).sort((a, b) => a.at - b.at);
  }

  /** A mark that is not needed costs one look, but an upload without a mark is not continued. */
  function unmarkIfEmpty(conversationId: string, kept: readonly StoredUpload[]): void {
    if (kept.length + storing.size === 0) markStoredUploads(whose, conversationId, false);
  }

  return {
    async put(upload) {
      const mark = () => markStoredUploads(whose, upload.conversationId, true);
      storing.add(upload.id);
      // Before, because the page may close just after it is stored; and after, because another tab may remove the mark.
      mark();
      try {
        await lock(upload.id);
        await requestResult((await uploads('readwrite')).put(upload));
        mark();
      } finally {
        storing.delete(upload.id);
      }
    },
    async take(conversationId) {
      const kept = await ofConversation(conversationId);
      unmarkIfEmpty(conversationId, kept);
      const mine: StoredUpload[] = [];
      for (const { id } of kept) {
        const upload = (await lock(id)) && (await stillKept(id));
        if (upload) mine.push(upload);
      }
      return mine;
    },
    async inherit(conversationId, signal, heir) {
      // Without locks we cannot know when another page has closed.
      if (!navigator.locks) return;
      for (const { id } of await ofConversation(conversationId)) {
        if (locks.has(id)) continue;
        lock(id, { signal })
          .then(() => stillKept(id))
          .then((upload) => (upload && signal.aborted ? release(id) : upload && heir(upload)))
          .catch(() => {}); // The wait was aborted.
      }
    },
    async remove(id) {
      const all = await uploads('readwrite');
      const before = await requestResult(all.get(id) as IDBRequest<StoredUpload | undefined>);
      await requestResult(all.delete(id));
      release(id);
      if (!before) return;
      const { conversationId } = before;
      unmarkIfEmpty(conversationId, await ofConversation(conversationId));
    },
    release,
  };
}
