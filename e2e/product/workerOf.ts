import type { BrowserContext, CDPSession, Page, Worker } from '@playwright/test';
import type { BrowserSubscription } from '../../server/test/pushService/service.ts';
import { expect } from './watched.ts';

/** The visible properties of a notification. */
export type Shown = {
  title: string;
  body: string;
  tag: string;
  data: unknown;
  actions: { action: string; type?: string; title: string; placeholder?: string }[];
};

/** Sends pushes and clicks to a browser's service worker, as the platform does. */
export type WorkerControl = {
  /** Delivers a decrypted push message to the worker through DevTools. */
  deliver(payload: unknown): Promise<void>;
  shown(): Promise<Shown[]>;
  /** Clicks a notification, or submits its reply field. Resolves when the worker has handled it. */
  click(on?: { tag?: string; reply?: string }): Promise<void>;
  /** The push service replaced the old subscription. */
  replaceSubscription(old: BrowserSubscription, next: BrowserSubscription): Promise<void>;
  /** URLs that the worker opened, and windows that it focused. */
  opened(): Promise<string[]>;
  focused(): Promise<string[]>;
};

/** `page` can be any page of this browser that stays open. */
export async function workerOf(context: BrowserContext, page: Page): Promise<WorkerControl> {
  const tools = await context.newCDPSession(page);
  const registrationId = await registered(tools, new URL(page.url()).origin);
  const { origin } = new URL(page.url());
  const worker = await running(context);
  await worker.evaluate(noteWindows);
  return {
    async deliver(payload) {
      await tools.send('ServiceWorker.deliverPushMessage', {
        origin,
        registrationId,
        data: JSON.stringify(payload),
      });
    },
    shown: () => worker.evaluate(readShown),
    click: (on = {}) => worker.evaluate(clickShown, on),
    replaceSubscription: (old, next) => worker.evaluate(replaceSubscription, { old, next }),
    opened: () => worker.evaluate(() => (globalThis as unknown as Noted).opened),
    focused: () => worker.evaluate(() => (globalThis as unknown as Noted).focused),
  };
}

/**
 * Repeats until exactly these notifications are shown: DevTools may lose a message, and the worker learns late which
 * windows are closed or hidden.
 */
export async function deliverUntilShown(
  worker: WorkerControl,
  payload: unknown,
  ...titles: string[]
): Promise<void> {
  const shown = async (): Promise<string[]> => (await worker.shown()).map(({ title }) => title).sort();
  await expect(async () => {
    await worker.deliver(payload);
    await expect.poll(shown, { timeout: 3_000 }).toEqual(titles.toSorted());
  }).toPass();
}

type Noted = { opened: string[]; focused: string[] };

async function registered(tools: CDPSession, origin: string): Promise<string> {
  let id: string | undefined;
  tools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
    id =
      registrations.find(({ scopeURL, isDeleted }) => scopeURL === `${origin}/` && !isDeleted)
        ?.registrationId ?? id;
  });
  await tools.send('ServiceWorker.enable');
  await expect.poll(() => id, { message: 'no worker was registered' }).toBeDefined();
  return id ?? '';
}

async function running(context: BrowserContext): Promise<Worker> {
  await expect.poll(() => context.serviceWorkers().length).toBeGreaterThan(0);
  const [worker] = context.serviceWorkers();
  if (!worker) throw new Error('no worker');
  return worker;
}

/**
 * Only a click on a real notification lets a worker open or focus a window, and a headless browser has none. So the
 * requests are recorded, and the test does them instead.
 */
function noteWindows(): void {
  const { clients, WindowClient } = globalThis as unknown as {
    clients: { openWindow(url: string): Promise<null> };
    WindowClient: { prototype: { url: string; focus(): Promise<unknown> } };
  };
  const noted: Noted = { opened: [], focused: [] };
  Object.assign(globalThis, noted);
  clients.openWindow = async (url) => {
    noted.opened.push(url);
    return null;
  };
  WindowClient.prototype.focus = async function () {
    noted.focused.push(this.url);
    return this;
  };
}

type ShownNotification = Notification & { actions?: Shown['actions'] };
type Scope = {
  registration: { getNotifications(): Promise<ShownNotification[]> };
  NotificationEvent: new (type: string, init: object) => Event;
};

async function readShown(): Promise<Shown[]> {
  const { registration } = globalThis as unknown as Scope;
  return (await registration.getNotifications()).map(({ title, body, tag, data, actions = [] }) => ({
    title,
    body,
    tag,
    data: data as unknown,
    actions: actions.map(({ action, type, title: label, placeholder }) => ({
      action,
      title: label,
      ...(type !== undefined && { type }),
      ...(placeholder !== undefined && { placeholder }),
    })),
  }));
}

async function clickShown({ tag, reply }: { tag?: string; reply?: string }): Promise<void> {
  const { registration, NotificationEvent } = globalThis as unknown as Scope;
  const notification = (await registration.getNotifications()).find((one) => one.tag === (tag ?? one.tag));
  const event = new NotificationEvent('notificationclick', {
    notification,
    ...(reply !== undefined && { action: 'reply', reply }),
  });
  const work: Promise<unknown>[] = [];
  // A synthetic event ends when dispatch returns, so wait for its promises here.
  Object.assign(event, { waitUntil: (promise: Promise<unknown>) => work.push(promise) });
  globalThis.dispatchEvent(event);
  await Promise.all(work);
}

type Replaced = { old: BrowserSubscription; next: BrowserSubscription };

async function replaceSubscription({ old, next: { endpoint, ...keys } }: Replaced): Promise<void> {
  const work: Promise<unknown>[] = [];
  const event = Object.assign(new Event('pushsubscriptionchange'), {
    oldSubscription: { endpoint: old.endpoint },
    newSubscription: { endpoint, toJSON: () => ({ endpoint, keys }) },
    waitUntil: (promise: Promise<unknown>) => work.push(promise),
  });
  globalThis.dispatchEvent(event);
  await Promise.all(work);
}
