import { pushTexts } from '@settee/protocol/texts/pushTexts';
import { texts } from '@settee/protocol/texts/texts';
import type { Side } from './workerStorage.ts';

/** The recipient of notifications. Without an id (a visitor's id, a handler's via the alias) there is none. */
export type Person = { side: Side; id: string | null };

/** inTab: no push, but notices while the page is open. */
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
  status: PushStatus;
  /** What this installation supports; null until it is needed. */
  offers: 'push' | 'notices' | null;
  busy: 'enabling' | 'disabling' | 'testing' | null;
  problem: string | null;
  news: string | null;
};

export type Push = {
  get(): PushState;
  subscribe(listener: () => void): () => void;
  /** Keeps a subscription active. Called when a page starts and periodically. */
  refresh(): Promise<void>;
  /** The next refresh sends the subscription to the server again, because a new sign-in is a new session. */
  outdate(): void;
  /** Called when the panel opens, because the browser's settings may have changed. */
  look(): Promise<void>;
  enable(): Promise<void>;
  disable(): Promise<void>;
  test(): Promise<void>;
  /** Called on sign-out. Does not wait long for the server. */
  leave(): Promise<void>;
  /** The server has ended the session and its notifications. */
  forget(): Promise<void>;
};

/** Why this browser cannot have notifications here. */
export const unavailableTexts = {
  unsupported: texts.noticesUnsupported,
  insecure: pushTexts.insecure,
  iosTab: pushTexts.iosSafari,
} as const;
