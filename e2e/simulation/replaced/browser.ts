import type { Outbox } from '../../../web/src/chat/outbox/outbox.ts';
import type { Socket } from '../../../web/src/net/live.ts';

/** What a page gets from its browser. */
export type Browser = {
  openSocket(): Socket;
  outbox(whose: string): Outbox;
  /** Tells the page that its network or its screen returned, or that the network is lost. */
  onDoubt(doubt: { wake: () => void; offline: () => void }): () => void;
};

/** The browser of the page that is just starting. */
let starting: Browser | undefined;

export function currentBrowser(): Browser {
  if (starting === undefined) throw new Error('no page is starting');
  return starting;
}

export function startIn<T>(browser: Browser, start: () => T): T {
  starting = browser;
  try {
    return start();
  } finally {
    starting = undefined;
  }
}
