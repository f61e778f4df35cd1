import { result } from '../../outbox/indexedDbResult.ts';
import { markKeptUploads } from './uploadMark.ts';
import type { KeptUpload, UploadStore } from './uploadStore.ts';

export const STORE = 'uploads';
export const STORE_PREFIX = 'settee-uploads-';

/**
 * The browser's own. Like the outbox, the visitor and every member of staff have theirs. A lock per upload, which ends
 * with its page, keeps a second tab from bringing the same one: it could not be taken back there.
 */
export function indexedDbUploads(whose: string): UploadStore {
  const name = STORE_PREFIX + whose;
  /** How to let go of those that are this page's. */
  const locks = new Map<string, () => void>();
  let opened: Promise<IDBDatabase> | undefined;

  function open(): Promise<IDBDatabase> {
    const forget = () => {
      opened = undefined;
    };
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE, { keyPath: 'id' });
    const opening = result(request);
    opening.then((database) => {
      database.onclose = forget;
    }, forget);
    return opening;
  }

  async function uploads(mode: IDBTransactionMode): Promise<IDBObjectStore> {
    opened ??= open();
    return (await opened).transaction(STORE, mode).objectStore(STORE);
  }

  /** False when another page has it, unless it is waited for. Where there are no locks, whoever asks does. */
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

  function letGo(id: string): void {
    locks.get(id)?.();
    locks.delete(id);
  }

  /** Once it is locked: whoever had it before may have sent it, or taken it back. */
  async function stillKept(id: string): Promise<KeptUpload | undefined> {
    const request = (await uploads('readonly')).get(id) as IDBRequest<KeptUpload | undefined>;
    const kept = await result(request).catch(() => undefined);
    if (!kept) letGo(id);
    return kept;
  }

  async function ofConversation(conversationId: string): Promise<KeptUpload[]> {
    const all = await result((await uploads('readonly')).getAll() as IDBRequest<KeptUpload[]>);
    return all.filter((kept) => kept.conversationId === conversationId).sort((a, b) => a.at - b.at);
  }

  return {
    async put(upload) {
      // Before the file is in: a page that ends in between looks once in vain, and loses nothing.
      markKeptUploads(whose, upload.conversationId, true);
      await lock(upload.id);
      await result((await uploads('readwrite')).put(upload));
    },
    async take(conversationId) {
      const kept = await ofConversation(conversationId);
      if (kept.length === 0) markKeptUploads(whose, conversationId, false);
      const mine: KeptUpload[] = [];
      for (const { id } of kept) {
        const upload = (await lock(id)) && (await stillKept(id));
        if (upload) mine.push(upload);
      }
      return mine;
    },
    async inherit(conversationId, signal, heir) {
      // Without locks nobody can tell when another page has ended.
      if (!navigator.locks) return;
      for (const { id } of await ofConversation(conversationId)) {
        if (locks.has(id)) continue;
        lock(id, { signal })
          .then(() => stillKept(id))
          .then((upload) => (upload && signal.aborted ? letGo(id) : upload && heir(upload)))
          .catch(() => {}); // Nobody waits any more.
      }
    },
    async remove(id) {
      const all = await uploads('readwrite');
      const before = await result(all.get(id) as IDBRequest<KeptUpload | undefined>);
      await result(all.delete(id));
      letGo(id);
      if (!before) return;
      const { conversationId } = before;
      if ((await ofConversation(conversationId)).length === 0) markKeptUploads(whose, conversationId, false);
    },
    letGo,
  };
}
