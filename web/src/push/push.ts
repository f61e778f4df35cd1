import type { Side } from './subscribedAs.ts';

/** Who is told. Without an id (a visitor's own, a handler's through the alias) there is nobody to tell. */
export type Person = { side: Side; id: string | null };

/** inTab: no pushes, but notices while the page is open. */
export type PushStatus =
  | 'loading'
  | 'unsupported'
  | 'insecure'
  | 'iosTab'
  | 'blocked'
  | 'off'
  | 'inTab'
  | 'on';

export type PushState = {
  standing: PushStatus;
  /** What this installation can offer; null until somebody wants to know. */
  offers: 'push' | 'notices' | null;
  busy: 'enabling' | 'disabling' | 'testing' | null;
  problem: string | null;
  news: string | null;
};

export type Push = {
  get(): PushState;
  subscribe(listener: () => void): () => void;
  /** At the start of a page and from time to time: keeps alive what is on. */
  refresh(): Promise<void>;
  /** The next refresh that reaches the server tells it all anew: whoever signed in anew is another to it. */
  outdate(): void;
  /** When the panel opens: much may have changed since, in the browser's own settings too. */
  look(): Promise<void>;
  enable(): Promise<void>;
  disable(): Promise<void>;
  test(): Promise<void>;
  /** Before a person leaves this browser to the next one; does not keep them waiting. */
  leave(): Promise<void>;
  /** The server has ended the session, and with it what it would have told. */
  forget(): Promise<void>;
};
