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

type NoticeEvent = ExtendableEvent & { readonly notification: { close(): void } };
type Window = { readonly url: string; focus(): Promise<unknown> };

type WorkerScope = {
  readonly location: { readonly origin: string };
  readonly registration: { readonly navigationPreload?: { enable(): Promise<void> } };
  readonly clients: {
    claim(): Promise<void>;
    matchAll(which: { type: 'window'; includeUncontrolled: true }): Promise<readonly Window[]>;
  };
  addEventListener(type: 'install' | 'activate', listener: (event: ExtendableEvent) => void): void;
  addEventListener(type: 'sync', listener: (event: SyncEvent) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: NoticeEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
};

export const scope = globalThis as unknown as WorkerScope;

/** Where the visitor's page lives; what follows is the invite's token. */
export const CHAT_PATH = '/i/';
