export function requestResult<T>(request: IDBRequest<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error ?? new Error('IndexedDB'));
  });
}

/** Resolves when a transaction has committed. */
export function transactionDone(writing: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    writing.oncomplete = () => resolve();
    writing.onabort = () => reject(writing.error ?? new Error('IndexedDB'));
  });
}

/** Opens a database at the first use, and again after a failure or after the browser has closed it. */
export function lazyDatabase(
  name: string,
  create: (database: IDBDatabase) => void,
): () => Promise<IDBDatabase> {
  let opened: Promise<IDBDatabase> | undefined;
  const forget = () => {
    opened = undefined;
  };
  return () => {
    if (opened) return opened;
    const request = indexedDB.open(name, 1);
    request.onupgradeneeded = () => create(request.result);
    opened = requestResult(request);
    opened.then((database) => {
      database.onclose = forget;
    }, forget);
    return opened;
  };
}
