import { systemClock } from '../net/clock.ts';
import { withTimeout } from '../push/withTimeout.ts';

/*
 * The parts of the service worker API that are used here. TypeScript's `webworker` library conflicts with `dom`, which
 * the pages need.
 */

type ExtendableEvent = Event & { waitUntil(work: Promise<unknown>): void };
type SyncEvent = ExtendableEvent & { readonly tag: string };
export type FetchEvent = ExtendableEvent & {
  readonly request: Request;
  /** The browser's request during the start of the worker; undefined if there was none. */
  readonly preloadResponse: Promise<Response | undefined>;
  respondWith(response: Promise<Response>): void;
};

export type PushEvent = ExtendableEvent & { readonly data: { json(): unknown } | null };

export type NoticeOptions = NotificationOptions & {
  renotify?: boolean;
  actions?: { action: string; title: string; type: 'text'; placeholder: string }[];
};
export type ShownNotice = { readonly data: unknown; readonly title: string; close(): void };
export type NoticeEvent = ExtendableEvent & {
  readonly notification: ShownNotice;
  /** The id of the clicked button; empty for the notification itself. */
  readonly action: string;
  /** The typed text, if the platform has a text field. */
  readonly reply?: string | null;
};

export type ChangeEvent = ExtendableEvent & {
  readonly oldSubscription?: PushSubscription | null;
  readonly newSubscription?: PushSubscription | null;
};

export type Window = {
  readonly url: string;
  readonly focused: boolean;
  readonly visibilityState: DocumentVisibilityState;
  focus(): Promise<unknown>;
  navigate(url: string): Promise<unknown>;
  postMessage(message: unknown, transfer: Transferable[]): void;
};

type WorkerScope = {
  readonly location: { readonly origin: string };
  readonly registration: {
    readonly navigationPreload?: { enable(): Promise<void> };
    readonly pushManager: PushManager;
    showNotification(title: string, options: NoticeOptions): Promise<void>;
    getNotifications(which: { tag: string }): Promise<readonly ShownNotice[]>;
  };
  readonly clients: {
    claim(): Promise<void>;
    matchAll(which: { type: 'window'; includeUncontrolled: true }): Promise<readonly Window[]>;
    openWindow(url: string): Promise<unknown>;
  };
  addEventListener(type: 'install' | 'activate', listener: (event: ExtendableEvent) => void): void;
  addEventListener(type: 'sync', listener: (event: SyncEvent) => void): void;
  addEventListener(type: 'push', listener: (event: PushEvent) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: NoticeEvent) => void): void;
  addEventListener(type: 'pushsubscriptionchange', listener: (event: ChangeEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
};

export const scope = globalThis as unknown as WorkerScope;

/** The path of the visitor's page. The invite's token follows. */
export const CHAT_PATH = '/i/';

/** Slow storage must not delay a notification: browsers revoke the permission if a push shows none in time. */
const READ_WITHIN_MS = 1_000;

/** The stored value; undefined if storage fails or does not answer. */
export function readWithTimeout<T>(reading: Promise<T>): Promise<T | undefined> {
  return withTimeout(systemClock, READ_WITHIN_MS, reading).catch(() => undefined);
}
