import type { Outbox } from '../../../web/src/chat/outbox/outbox.ts';
import type { Socket } from '../../../web/src/net/live.ts';
import { type Owner, scheduler } from '../time.ts';

/** What a page gets from its browser. */
export type Browser = {
  openSocket(): Socket;
  outbox(whose: string): Outbox;
  /** Tells the page that its network or its screen returned, or that the network is lost. */
  onDoubt(doubt: { wake: () => void; offline: () => void }): () => void;
  storage: Storage;
  /** The rows of a database by id. */
  database(name: string): Rows;
  locks: Pick<LockManager, 'request'>;
  /** Listeners of `online`. */
  online: Set<() => void>;
  fetch(address: string, request: RequestInit): Promise<Response>;
  /** Sends a file. Calls back with the status, 0 if no answer came, unless the returned function was called before. */
  put(address: string, file: Blob, type: string, onEnd: (status: number) => void): () => void;
};

/** An object store. Its requests are promises: see indexedDb.ts. */
export type Rows = {
  put(row: { id: string }): Promise<void>;
  get(id: string): Promise<unknown>;
  getAll(): Promise<unknown[]>;
  delete(id: string): Promise<void>;
};

const browsers = new WeakMap<Owner, Browser>();

export function giveBrowser(page: Owner, browser: Browser): void {
  browsers.set(page, browser);
}

/** The browser of the page whose code runs now. */
export function currentBrowser(): Browser {
  const found = browsers.get(scheduler.owner);
  if (found === undefined) throw new Error(`${scheduler.owner.name} has no browser`);
  return found;
}
