import type { Page } from '@playwright/test';
import { pushTexts } from '@settee/protocol/texts/pushTexts';
import { texts } from '@settee/protocol/texts/texts';
import { pushServiceAt } from '../../server/test/pushService/remote.ts';
import { createHandler } from '../product/accounts.ts';
import { makeThread } from '../product/database.ts';
import { openConversation } from '../product/people.ts';
import { conversation } from './sampleMessages.ts';
import { openStaffBell } from './staffBell.ts';
import { openChat, type State, shows } from './stage.ts';

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

/** Notifications: the panel, and the instructions for the Home Screen. These states need the full Chromium. */
export const pushStates: State[] = [
  {
    name: 'bell-panel',
    async reach(stage) {
      await stage.page.context().grantPermissions(['notifications']);
      await openChat(stage, conversation());
      await stage.page.getByRole('button', { name: texts.notifications }).click();
      await shows(stage.page, texts.enable);
    },
  },
  {
    name: 'bell-blocked',
    async reach(stage) {
      await openChat(stage, conversation());
      await stage.page.getByRole('button', { name: texts.notifications }).click();
      // Headless Chromium denies the permission.
      await stage.page.getByRole('button', { name: texts.enable }).click();
      await shows(stage.page, texts.noticesBlocked);
    },
  },
  {
    name: 'brand-bell',
    async reach({ page }) {
      await page.context().grantPermissions(['notifications']);
      await openBrandBell(page);
    },
  },
  {
    name: 'brand-bell-blocked',
    async reach({ page }) {
      await openBrandBell(page);
      // Headless Chromium denies the permission.
      await page.getByRole('button', { name: texts.enable }).click();
      await shows(page, texts.noticesBlocked);
    },
  },
  {
    name: 'bell-on',
    async reach(stage) {
      await allowPushes(stage.page, true);
      await openChat(stage, conversation());
      await enable(stage.page);
      await shows(stage.page, pushTexts.on);
      await stage.page.getByRole('button', { name: pushTexts.test }).click();
      await shows(stage.page, pushTexts.testSent);
    },
  },
  {
    name: 'bell-error',
    async reach(stage) {
      await allowPushes(stage.page, false);
      await openChat(stage, conversation());
      await enable(stage.page);
      await shows(stage.page, pushTexts.noToken);
    },
  },
  {
    name: 'home-screen-hint',
    async reach(stage) {
      await stage.page.addInitScript(
        (userAgent) => Object.defineProperty(navigator, 'userAgent', { get: () => userAgent }),
        IPHONE,
      );
      await openChat(stage, conversation());
      // With a mouse the composer has the focus, and the sheet waits while the visitor writes.
      await stage.page.getByRole('log').focus();
      await shows(stage.page, pushTexts.iosNote);
    },
  },
  {
    name: 'console-bell',
    async reach({ page }) {
      const handler = createHandler();
      await openConversation(page, handler, await makeThread(handler.alias, 'Jonas Weber', conversation()));
      await openStaffBell(page, pushTexts.staffOffer);
    },
    // In the rail or in the conversation's header, depending on the width.
    again: (page) => openStaffBell(page, pushTexts.staffOffer),
  },
  {
    name: 'console-bell-on',
    async reach({ page }) {
      await allowPushes(page, true);
      const handler = createHandler();
      await openConversation(page, handler, await makeThread(handler.alias, 'Jonas Weber', conversation()));
      await page.getByRole('button', { name: texts.notifications }).click();
      await page.getByRole('button', { name: texts.enable }).click();
      await shows(page, pushTexts.staffOn);
    },
    again: (page) => openStaffBell(page, pushTexts.staffOn),
  },
];

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
