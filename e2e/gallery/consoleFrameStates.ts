import { expect, type Page } from '@playwright/test';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { deviceTexts } from '@settee/protocol/texts/deviceTexts';
import { texts } from '@settee/protocol/texts/texts';
import { createHandler, createInvite } from '../product/accounts.ts';
import { makeThread, moveToDesk } from '../product/database.ts';
import { hold, holdLine } from '../product/network.ts';
import { holdTimers } from '../product/pages.ts';
import {
  bannerCode,
  enterConsole,
  newPerson,
  openConversation,
  openWithCode,
  send,
  signIn,
  startChatWithForms,
} from '../product/people.ts';
import { conversation } from './sampleMessages.ts';
import { type Stage, type State, shows } from './stage.ts';

/** The frame around a conversation, dialogs over it, and the pages before the console. */
export const consoleFrameStates: State[] = [
  {
    name: 'console-loading',
    async reach({ page }) {
      // The page waits 3 s for the answer. Here it waits forever.
      await holdTimers(page, 3_000);
      await hold(page, 'auth/staff/refresh');
      await page.goto('/handler');
      await shows(page, consoleTexts.consoleLoadingNote);
    },
  },
  {
    name: 'console-authentication-error',
    async reach({ page }) {
      await page.route('**/auth/staff/refresh', (route) => route.fulfill({ status: 500, body: '' }));
      await page.goto('/handler');
      await shows(page, consoleTexts.authErrorTitle);
    },
  },
  {
    name: 'console-broken',
    async reach({ page, desk }) {
      await signIn(page, desk.handler);
      await page.addInitScript(() =>
        Object.defineProperty(document, 'title', {
          get: () => 'Console',
          set() {
            throw new Error('broken on purpose');
          },
        }),
      );
      await page.reload();
      await shows(page, consoleTexts.consoleBroken);
    },
  },
  {
    name: 'console-handler-test',
    async reach({ page, desk }) {
      await enterConsole(page, desk.handler, '/handler-test');
      await shows(page, desk.handler.alias);
    },
  },
  {
    name: 'console-queue-loading',
    async reach({ page, desk }) {
      await signIn(page, desk.handler);
      await hold(page, 'queue?*');
      await page.routeWebSocket('**/live', () => {});
      await page.reload();
      await shows(page, consoleTexts.queueLoading);
    },
  },
  {
    name: 'console-person-menu',
    async reach({ page, desk }) {
      await signIn(page, desk.handler);
      await openPersonMenu(page);
    },
    // In the rail or in the queue's header, depending on the width.
    async again(page) {
      await page.keyboard.press('Escape');
      await openPersonMenu(page);
    },
  },
  {
    name: 'console-more-menu',
    async reach(stage) {
      await openOne(stage);
      await press(stage.page, texts.more);
      await shows(stage.page, consoleTexts.transfer);
    },
  },
  {
    name: 'console-details',
    async reach(stage) {
      await openOne(stage);
      await stage.page.setViewportSize({ width: 768, height: 800 });
      await press(stage.page, texts.more);
      await stage.page.getByRole('menuitem', { name: consoleTexts.details }).click();
      await expect(stage.page.getByRole('dialog')).toBeVisible();
    },
  },
  {
    name: 'console-devices',
    async reach({ page, browser }) {
      const handler = createHandler();
      const invite = createInvite(handler.alias);
      const { page: first } = await newPerson(browser);
      await startChatWithForms(first, invite, 'Jonas Weber');
      await send(first, 'Which page was it?');
      const { page: second } = await newPerson(browser);
      await openWithCode(second, invite, 'Jonas Weber', await bannerCode(first));
      await signIn(page, handler);
      await page.getByRole('link', { name: /Jonas Weber/ }).click();
      await page.setViewportSize({ width: 768, height: 800 });
      await press(page, texts.more);
      await page.getByRole('menuitem', { name: consoleTexts.details }).click();
      await page.getByRole('dialog').getByText(deviceTexts.devices, { exact: true }).last().click();
      await expect(page.getByRole('button', { name: /^Remove / }).first()).toBeVisible();
    },
  },
  {
    name: 'console-offline',
    async reach({ page }) {
      const handler = createHandler();
      await makeThread(handler.alias, 'Jonas Weber', conversation());
      const line = await holdLine(page);
      await signIn(page, handler);
      await shows(page, 'Jonas Weber');
      await line.cut();
      await shows(page, texts.offlineBanner);
    },
  },
  {
    name: 'console-sign-in-wrong',
    async reach({ page, desk }) {
      await page.goto('/handler');
      await page.getByLabel(consoleTexts.signInEmail).fill(desk.handler.email);
      await page.getByLabel(consoleTexts.signInPassword).fill('not the password');
      await page.getByRole('button', { name: consoleTexts.signInSubmit }).click();
      await expect(page.getByRole('alert').filter({ hasText: /./ })).toBeVisible();
    },
  },
  {
    name: 'console-sign-in-single-sign-on',
    async reach({ page }) {
      await page.route('**/auth/staff/sign-in', (route) =>
        route.fulfill({ json: { success: true, singleSignOn: 'Example Login' } }),
      );
      const result = encodeURIComponent(JSON.stringify({ problem: 'unknown' }));
      await page.goto(`/handler#sso=${result}`);
      await shows(page, consoleTexts.ssoProblems.unknown);
      await shows(page, 'Sign in with Example Login');
    },
  },
  {
    name: 'console-block',
    async reach(stage) {
      await openOne(stage);
      await press(stage.page, consoleTexts.block);
      await shows(stage.page, consoleTexts.blockNote);
    },
  },
  {
    name: 'console-hand-over',
    async reach(stage) {
      await openOne(stage);
      // The test installation has hundreds. Two are enough for a screenshot.
      const desks = [
        { alias: 'mara-east', people: ['Ana Kovač', 'Emil Sand'], online: true },
        { alias: 'mara-west', people: ['Yuki Tanaka'], online: false },
      ];
      await stage.page.route('**/desks', (route) => route.fulfill({ json: { success: true, desks } }));
      await press(stage.page, texts.more);
      await stage.page.getByRole('menuitem', { name: consoleTexts.transfer }).click();
      await stage.page.getByRole('radio', { name: /mara-east/ }).check();
    },
  },
  {
    name: 'console-undo',
    async reach(stage) {
      await openOne(stage);
      await press(stage.page, consoleTexts.close);
      // It stays visible while it has the focus.
      await stage.page.getByRole('button', { name: consoleTexts.undo }).focus();
    },
  },
  {
    name: 'console-read-only',
    async reach(stage) {
      const id = await openOne(stage);
      await moveToDesk(id, stage.desk.handler.alias);
      await shows(stage.page, consoleTexts.notYours);
    },
  },
];

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

/** A desk with one conversation, which is open. */
async function openOne({ page }: Stage): Promise<string> {
  const handler = createHandler();
  const id = await makeThread(handler.alias, 'Jonas Weber', conversation());
  await openConversation(page, handler, id);
  await expect(page.getByRole('log').locator('[data-side]').last()).toBeInViewport();
  return id;
}

async function openPersonMenu(page: Page): Promise<void> {
  await page.getByRole('button', { name: new RegExp(consoleTexts.me) }).click();
  await expect(page.getByRole('menu')).toBeVisible();
}
