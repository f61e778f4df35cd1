import type { BrowserContext, CDPSession, Page, Worker } from '@playwright/test';
import type { BrowserSubscription } from '../../server/test/pushService/service.ts';
import { expect } from './watched.ts';

/** What a notification looks like from outside. */
export type Shown = {
  title: string;
  body: string;
  tag: string;
  data: unknown;
  actions: { action: string; type?: string; title: string; placeholder?: string }[];
};

/** A browser's service worker, pushed to and clicked at as its platform would. */
export type WorkerHand = {
  /** The bytes that a push service handed to the browser, decrypted: the DevTools give them to the worker. */
  deliver(payload: unknown): Promise<void>;
  shown(): Promise<Shown[]>;
  /** A click on a notification; in its reply field, with words. Resolves once it is dealt with. */
  click(on?: { tag?: string; reply?: string }): Promise<void>;
  /** The push service has put another subscription in the place of the old one. */
  replaceSubscription(old: BrowserSubscription, next: BrowserSubscription): Promise<void>;
  /** Addresses that the worker asked to open, and the windows that it asked to be in front. */
  opened(): Promise<string[]>;
  focused(): Promise<string[]>;
};

/** `page` may be any of this browser's, as long as it stays open. */
export async function workerOf(context: BrowserContext, page: Page): Promise<WorkerHand> {
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

/** Until it shows: the worker hears a moment late which windows are closed or behind others. */
export async function deliverUntilShown(worker: WorkerHand, payload: unknown, title: string): Promise<void> {
  await expect(async () => {
    await worker.deliver(payload);
    await expect.poll(worker.shown, { timeout: 3_000 }).toMatchObject([{ title }]);
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
 * Only a hand on the real notification lets a worker open a window or bring one to the front, and a browser without a
 * screen has none. So what the worker asks for is written down, and the test does it in the browser's place.
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
  // A made-up event is over as soon as it is dispatched; what it started is waited for here.
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
