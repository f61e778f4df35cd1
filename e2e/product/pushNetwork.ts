import type { BrowserContext, Page } from '@playwright/test';
import { pushServiceAt } from '../../server/test/pushService/remote.ts';
import type { BrowserSubscription } from '../../server/test/pushService/service.ts';
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

/** Turns on notifications as a user does. */
export async function enablePush(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Notifications' }).first().click();
  await page.getByRole('button', { name: 'Enable' }).click();
  await expect(page.getByRole('button', { name: 'Disable' })).toBeVisible();
  await page.keyboard.press('Escape');
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
  await expect.poll(received, { timeout: 40_000 }).toHaveLength(1);
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
