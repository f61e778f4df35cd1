import type { BrowserContext, CDPSession, Page, Worker } from '@playwright/test';
import { type BrowserSubscription, pushServiceAt } from '../../server/test/push/pushService.ts';
import { inDatabase } from './database.ts';
import { expect } from './watched.ts';

/** The decrypted payload of a push from the gateway, as only the browser can read it. */
type Pushed = { payload: unknown };

export function subscriptionOf(name: string): Promise<BrowserSubscription> {
  return pushServiceAt(process.env.PUSH_SERVICE_URL ?? '').subscription(name);
}

/**
 * The browser's push network is unreachable from here. Instead, this browser gets a subscription at the push service on
 * loopback. Everything else, from permission to notification, is the real browser.
 */
export async function joinPushNetwork(
  context: BrowserContext,
  name: string,
): Promise<() => Promise<Pushed[]>> {
  const service = pushServiceAt(process.env.PUSH_SERVICE_URL ?? '');
  await context.grantPermissions(['notifications']);
  await context.addInitScript(stayInNetwork, await service.subscription(name));
  return () => service.received(name);
}

/** Lets ten seconds pass for unseen messages. On a slow machine they may already have passed. */
export async function passTime(alias: string, side: 'visitor' | 'staff'): Promise<void> {
  await expect(async () => {
    const { rowCount } = await inDatabase(
      `update push_due p set due_at = case when p.due_at is not null then now() end from conversations c
       where c.id = p.conversation_id and c.handler_alias = $1 and p.to_owner = $2
         and coalesce(p.due_at, p.pushed_at) is not null`,
      [alias, side === 'staff'],
    );
    expect(rowCount).toBe(1);
  }).toPass();
}

export async function nextPush(received: () => Promise<Pushed[]>): Promise<unknown> {
  await expect.poll(received).toHaveLength(1);
  return (await received())[0]?.payload;
}

function stayInNetwork({ endpoint, p256dh, auth }: BrowserSubscription): void {
  if (!('PushManager' in globalThis)) return;
  const KEY = 'subscription of the test';
  const bytes = (text: string) =>
    Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) => letter.charCodeAt(0))
      .buffer;
  const keys: Record<string, string> = { p256dh, auth };
  const subscription = {
    endpoint,
    expirationTime: null,
    options: { userVisibleOnly: true, applicationServerKey: null },
    getKey: (key: string) => bytes(keys[key] ?? ''),
    toJSON: () => ({ endpoint, keys }),
    unsubscribe: async () => {
      localStorage.removeItem(KEY);
      return true;
    },
  };
  Object.assign(PushManager.prototype, {
    subscribe: async () => {
      localStorage.setItem(KEY, 'yes');
      return subscription;
    },
    getSubscription: async () => (localStorage.getItem(KEY) ? subscription : null),
  });
}

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
  click(on?: { reply?: string }): Promise<void>;
  /** The push service replaced the old subscription. */
  replaceSubscription(old: BrowserSubscription, next: BrowserSubscription): Promise<void>;
  /** URLs that the worker opened. */
  opened(): Promise<string[]>;
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

type Noted = { opened: string[] };

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
    WindowClient: { prototype: { focus(): Promise<unknown> } };
  };
  const opened: string[] = [];
  Object.assign(globalThis, { opened });
  clients.openWindow = async (url) => {
    opened.push(url);
    return null;
  };
  WindowClient.prototype.focus = async function () {
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

async function clickShown({ reply }: { reply?: string }): Promise<void> {
  const { registration, NotificationEvent } = globalThis as unknown as Scope;
  const [notification] = await registration.getNotifications();
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
