import { currentBrowser } from './browser.ts';

/** The globals of a page that uploads use, each of the page whose code runs now. */
export function installPage(): void {
  const events = {
    addEventListener: (_: 'online', listener: () => void) => void currentBrowser().online.add(listener),
    removeEventListener: (_: 'online', listener: () => void) => void currentBrowser().online.delete(listener),
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
