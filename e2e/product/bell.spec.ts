import type { Page } from '@playwright/test';
import { createHandler, createInvite } from './accounts.ts';
import { putInBackground, watchNotices, withoutPushes } from './notices.ts';
import { newPerson, send, signIn, startChat } from './people.ts';
import { expect, test } from './watched.ts';

const bell = (page: Page) => page.getByRole('button', { name: 'Notifications' });
const handler = createHandler();

test('[V-09] the bell appears with the name, and not in Safari', async ({ browser }) => {
  const { page } = await newPerson(browser);
  const invite = createInvite(handler.alias);
  await page.goto(invite);
  await page.getByRole('button', { name: 'Start chat' }).click();
  await expect(page.getByLabel('Display Name')).toBeVisible();
  await expect(bell(page)).toHaveCount(0);
  await page.getByLabel('Display Name').fill('Jonas');
  await page.getByRole('button', { name: 'Start Chatting' }).click();
  await expect(bell(page)).toBeVisible();
  const target = await bell(page).boundingBox();
  expect([target?.width, target?.height]).toEqual([44, 44]);

  const safari = await browser.newContext({
    userAgent:
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Safari/605.1.15',
  });
  const apple = await safari.newPage();
  await startChat(apple, createInvite(handler.alias), 'Jonas');
  await expect(apple.getByText('Start the conversation')).toBeVisible();
  await expect(bell(apple)).toHaveCount(0);
});

test('[N-02] a blocked permission shows Notifications Blocked, instructions and Refresh Page', async ({
  page,
}) => {
  await page.goto('/chat');
  await bell(page).click();
  // Headless Chromium denies the permission.
  await page.getByRole('button', { name: 'Enable' }).press('Enter');
  const blocked = page.getByRole('dialog', { name: 'Notifications Blocked' });
  // The button is gone, but the focus stays in the panel.
  await expect(blocked).toBeFocused();
  await expect(blocked.getByRole('listitem')).toHaveText([/lock icon/, /Select Allow/, /Refresh/]);
  await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }));
  await blocked.getByRole('button', { name: 'Refresh Page' }).click();
  await expect.poll(() => page.evaluate(() => 'sameDocument' in globalThis)).toBe(false);
  await bell(page).click();
  await expect(blocked).toBeVisible();
});

test('[N-01] the panel offers Enable and Disable, and returns the focus', async ({ page, context }) => {
  await context.grantPermissions(['notifications']);
  await withoutPushes(context);
  await page.goto('/chat');
  const panel = page.getByRole('dialog', { name: 'Notifications' });
  await bell(page).click();
  await expect(panel).toBeFocused();
  await expect(page.getByRole('tooltip')).toHaveCount(0);
  await panel.getByRole('button', { name: 'Enable' }).click();
  await expect(panel.getByText('Notifications are on while this tab is open')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  await expect(bell(page)).toBeFocused();

  await page.keyboard.press('Enter');
  await panel.getByRole('button', { name: 'Disable' }).click();
  await expect(panel.getByRole('button', { name: 'Enable' })).toBeFocused();
  await page.getByRole('main').click({ position: { x: 20, y: 400 } });
  await expect(panel).toHaveCount(0);
  await expect(bell(page)).toBeFocused();
  await bell(page).click();
  await expect(panel).toBeVisible();
  await bell(page).click();
  await expect(panel).toHaveCount(0);
});

test('[PUSH-25] in a background tab a new message shows a notice, without its text, if the visitor wants it', async ({
  browser,
}) => {
  const own = createHandler();
  const { page: visitor, context } = await newPerson(browser);
  await context.grantPermissions(['notifications']);
  await withoutPushes(context);
  const notices = await watchNotices(visitor);
  await startChat(visitor, createInvite(own.alias), 'Mia');
  await send(visitor, 'Hello');
  const { page: desk } = await newPerson(browser);
  await signIn(desk, own);
  await desk.getByRole('link', { name: /Mia/ }).click();
  const answer = async (text: string) => {
    await send(desk, text);
    await expect(visitor.getByText(text, { exact: true })).toBeVisible();
  };

  await putInBackground(visitor, true);
  await answer('Nobody asked for notices yet');
  await bell(visitor).click();
  await visitor.getByRole('button', { name: 'Enable' }).click();
  await expect(visitor.getByRole('button', { name: 'Disable' })).toBeVisible();
  await putInBackground(visitor, false);
  await answer('The tab is in front');
  expect(await notices()).toEqual([]);

  await putInBackground(visitor, true);
  await answer('Now it is not');
  await expect.poll(notices).toEqual([{ title: await visitor.title(), body: 'New message' }]);
  await send(visitor, 'Own words give no notice');
  await expect(visitor.getByText('Own words give no notice')).toBeVisible();
  const focused = visitor.evaluate(
    () =>
      new Promise((done) => {
        globalThis.focus = () => done(true);
        (globalThis as unknown as { clickLast: () => void }).clickLast();
      }),
  );
  expect(await focused).toBe(true);

  await bell(visitor).click();
  await visitor.getByRole('button', { name: 'Disable' }).click();
  await answer('And off again');
  expect(await notices()).toHaveLength(1);
});
