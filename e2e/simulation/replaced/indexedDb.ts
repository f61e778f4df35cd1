import { currentBrowser, type Rows } from './browser.ts';

/** Databases with one object store, in the browser of the page that opens them. A request is a promise. */
export function lazyDatabase(name: string): () => Promise<{ transaction(): { objectStore(): Rows } }> {
  const rows = currentBrowser().database(name);
  const opened = Promise.resolve({ transaction: () => ({ objectStore: () => rows }) });
  return () => opened;
}

export function requestResult<T>(request: Promise<T>): Promise<T> {
  return request;
}

export async function transactionDone(): Promise<void> {}
