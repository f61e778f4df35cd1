/*
 * The little of a service worker's world that is used here. TypeScript's own `webworker` library cannot stand beside
 * `dom`, which the pages need.
 */

type ExtendableEvent = Event & { waitUntil(work: Promise<unknown>): void };
type SyncEvent = ExtendableEvent & { readonly tag: string };
export type FetchEvent = ExtendableEvent & {
  readonly request: Request;
  /** What the browser asked for while the worker started; undefined where it did not. */
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
  /** Which of its buttons; empty for the notification itself. */
  readonly action: string;
  /** What was typed into it, where the platform has a field for that. */
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

/** Where the visitor's page lives; what follows is the invite's token. */
export const CHAT_PATH = '/i/';
