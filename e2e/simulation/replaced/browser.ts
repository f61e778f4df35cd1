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
  /** Listeners of `online` and `storage`. */
  online: Set<() => void>;
  stored: Set<(event: StorageEvent) => void>;
  fetch(address: string, request: RequestInit): Promise<Response>;
  /** Sends a file. Calls back with the status, 0 if no answer came, unless the returned function was called before. */
  put(address: string, file: Blob, type: string, onEnd: (status: number) => void): () => void;
};

/** An object store. Its requests are promises: see modules.ts. */
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

/** The globals of a page that uploads use, each of the page whose code runs now. */
export function installPage(): void {
  const listeners = (type: string) => currentBrowser()[type === 'online' ? 'online' : 'stored'];
  const events = {
    addEventListener: (type: string, listener: () => void) => void listeners(type).add(listener),
    removeEventListener: (type: string, listener: () => void) => void listeners(type).delete(listener),
  };
  const locks = { get: () => currentBrowser().locks };
  const navigator = Object.defineProperty({ onLine: true }, 'locks', locks);
  Object.defineProperty(globalThis, 'navigator', { value: navigator });
  Object.defineProperty(globalThis, 'localStorage', { get: () => currentBrowser().storage });
  Object.assign(globalThis, events, {
    // It cannot list its databases, so nothing is swept.
    indexedDB: {},
    fetch: (address: string, request: RequestInit) => currentBrowser().fetch(address, request),
    XMLHttpRequest: Transfer,
  });
  Object.assign(URL, {
    createObjectURL: () => 'blob:preview',
    revokeObjectURL: () => {},
  });
  AbortSignal.timeout = (ms) => {
    const ending = new AbortController();
    setTimeout(() => ending.abort(), ms);
    return ending.signal;
  };
}

/** The part of XMLHttpRequest that sends a file. */
class Transfer {
  readonly upload: { onprogress?: (event: { loaded: number }) => void; onload?: () => void } = {};
  onloadend: () => void = () => {};
  withCredentials = true;
  status = 0;
  #address = '';
  #type = '';
  #cancel: () => void = () => {};

  open(_method: string, address: string): void {
    this.#address = address;
  }

  setRequestHeader(_name: string, type: string): void {
    this.#type = type;
  }

  send(file: Blob): void {
    this.#cancel = currentBrowser().put(this.#address, file, this.#type, (status) => this.#end(status));
  }

  abort(): void {
    this.#cancel();
    this.#end(0);
  }

  #end(status: number): void {
    this.status = status;
    this.onloadend();
    this.onloadend = () => {};
  }
}
