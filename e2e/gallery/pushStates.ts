import type { Page } from '@playwright/test';
import { pushTexts } from '@settee/protocol/texts/pushTexts';
import { texts } from '@settee/protocol/texts/texts';
import { pushServiceAt } from '../../server/test/push/pushService.ts';
import { conversation, openChat, openThread, shows, states } from './stage.ts';

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

/** Notifications: the panel, and the instructions for the Home Screen. These states need the full Chromium. */
export const pushStates = states({
  'bell-panel': async (stage) => {
    await stage.page.context().grantPermissions(['notifications']);
    await openChat(stage, conversation());
    await stage.page.getByRole('button', { name: texts.notifications }).click();
    await shows(stage.page, texts.enable);
  },
  'bell-blocked': async (stage) => {
    await openChat(stage, conversation());
    await stage.page.getByRole('button', { name: texts.notifications }).click();
    // Headless Chromium denies the permission.
    await stage.page.getByRole('button', { name: texts.enable }).click();
    await shows(stage.page, texts.noticesBlocked);
  },
  'brand-bell': async ({ page }) => {
    await page.context().grantPermissions(['notifications']);
    await openBrandBell(page);
  },
  'brand-bell-blocked': async ({ page }) => {
    await openBrandBell(page);
    // Headless Chromium denies the permission.
    await page.getByRole('button', { name: texts.enable }).click();
    await shows(page, texts.noticesBlocked);
  },
  'bell-on': async (stage) => {
    await allowPushes(stage.page, true);
    await openChat(stage, conversation());
    await enable(stage.page);
    await shows(stage.page, pushTexts.on);
    await stage.page.getByRole('button', { name: pushTexts.test }).click();
    await shows(stage.page, pushTexts.testSent);
  },
  'bell-error': async (stage) => {
    await allowPushes(stage.page, false);
    await openChat(stage, conversation());
    await enable(stage.page);
    await shows(stage.page, pushTexts.noToken);
  },
  'home-screen-hint': async (stage) => {
    await stage.page.addInitScript(
      (userAgent) => Object.defineProperty(navigator, 'userAgent', { get: () => userAgent }),
      IPHONE,
    );
    await openChat(stage, conversation());
    // With a mouse the composer has the focus, and the sheet waits while the visitor writes.
    await stage.page.getByRole('log').focus();
    await shows(stage.page, pushTexts.iosNote);
  },
  'console-bell': {
    async reach({ page }) {
      await openThread(page);
      await openStaffBell(page, pushTexts.staffOffer);
    },
    // In the rail or in the conversation's header, depending on the width.
    again: (page) => openStaffBell(page, pushTexts.staffOffer),
  },
  'console-bell-on': {
    async reach({ page }) {
      await allowPushes(page, true);
      await openThread(page);
      await page.getByRole('button', { name: texts.notifications }).click();
      await page.getByRole('button', { name: texts.enable }).click();
      await shows(page, pushTexts.staffOn);
    },
    again: (page) => openStaffBell(page, pushTexts.staffOn),
  },
});

async function openBrandBell(page: Page): Promise<void> {
  await page.goto('/chat');
  await shows(page, texts.online);
  await page.getByRole('button', { name: texts.notifications }).click();
  await shows(page, texts.enable);
}

async function enable(page: Page): Promise<void> {
  await page.getByRole('button', { name: texts.notifications }).click();
  await page.getByRole('button', { name: texts.enable }).click();
}

/** The gallery runs without a service worker, so this replaces the parts that need one. */
async function allowPushes(page: Page, given: boolean): Promise<void> {
  await page.context().grantPermissions(['notifications']);
  const name = `a picture ${Math.random()}`;
  const subscription = await pushServiceAt(process.env.PUSH_SERVICE_URL ?? '').subscription(name);
  await page.addInitScript(
    ({ endpoint, p256dh, auth, given: gives }) => {
      // Not on the blank page between two navigations.
      if (!('ServiceWorkerContainer' in globalThis)) return;
      const bytes = (text: string) =>
        Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (letter) =>
          letter.charCodeAt(0),
        ).buffer;
      const made = {
        endpoint,
        expirationTime: null,
        options: { userVisibleOnly: true, applicationServerKey: null },
        getKey: (key: string) => bytes(key === 'auth' ? auth : p256dh),
        unsubscribe: async () => true,
      };
      let there: typeof made | null = null;
      const registration = {
        pushManager: {
          getSubscription: async () => there,
          async subscribe() {
            if (!gives) throw new DOMException('no push network', 'AbortError');
            there = made;
            return made;
          },
        },
      };
      Object.defineProperty(ServiceWorkerContainer.prototype, 'ready', { get: async () => registration });
      ServiceWorkerContainer.prototype.getRegistration = async () =>
        registration as unknown as ServiceWorkerRegistration;
    },
    { ...subscription, given },
  );
}

/** Opens the panel of the visible bell. Closes and reopens it if it is open. */
export async function openStaffBell(page: Page, until: string): Promise<void> {
  // Without an open panel, Esc would return to the queue.
  if (await page.getByRole('dialog').isVisible()) await page.keyboard.press('Escape');
  await page.getByRole('button', { name: texts.notifications }).click();
  await shows(page, until);
}
