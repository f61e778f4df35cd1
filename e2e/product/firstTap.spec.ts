import type { Page } from '@playwright/test';
import { createHandler, createInvite } from './accounts.ts';
import { inviteState } from './database.ts';
import { hold } from './network.ts';
import { newPerson } from './people.ts';
import { expect, test } from './watched.ts';

const handler = createHandler();
const PHONE = { width: 412, height: 823 };

// It would serve the app from its cache, past the routes that this test blocks.
test.use({ serviceWorkers: 'block' });

const startChat = (page: Page) => page.getByRole('button', { name: 'Start chat' });

/** The paths of the calls that change the invite, as they are requested. */
function changesBy(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/seeInvite|claimInvite|attachInvite/.test(pathname)) asked.push(pathname);
  });
  return asked;
}

const presses: [how: string, press: (page: Page) => Promise<void>][] = [
  ['tap', (page) => startChat(page).tap()],
  ['Enter', (page) => startChat(page).press('Enter')],
  ['Space', (page) => startChat(page).press('Space')],
];
for (const [how, press] of presses) {
  test(`Start chat works before the app has loaded, by ${how}: it is busy at once, and the chat starts once`, async ({
    browser,
  }) => {
    const { page } = await newPerson(browser, { hasTouch: true, viewport: PHONE });
    const changes = changesBy(page);
    const invite = createInvite(handler.alias);
    const release = await hold(page, 'assets/*.js');
    await page.goto(invite, { waitUntil: 'commit' });
    await press(page);
    const busy = page.getByRole('button', { name: 'Starting chat...' });
    await expect(busy).toBeVisible();
    await busy.tap();
    await expect(page.locator('#app > *')).toHaveCount(0);
    expect(changes).toEqual([]);
    expect(await inviteState(invite)).toBe('NEW');

    await release();
    const name = page.getByLabel('Display Name');
    await expect(name).toBeFocused();
    await expect(page.locator('#preloader')).toHaveCount(0);
    await name.fill('Jonas');
    await page.getByRole('button', { name: 'Start Chatting' }).tap();
    await expect(page.getByPlaceholder('Message...')).toBeVisible();
    expect(changes).toEqual(['/seeInvite', '/claimInvite']);
  });
}

test('Start chat keeps the focus while the app takes over, and works until the sign-in has an answer', async ({
  page,
}) => {
  const changes = changesBy(page);
  const releaseApp = await hold(page, 'assets/*.js');
  const releaseSignIn = await hold(page, 'auth/anonymous');
  await page.goto(createInvite(handler.alias), { waitUntil: 'commit' });
  await startChat(page).focus();
  await releaseApp();
  await expect(page.locator('#preloader')).toHaveCount(0);
  await expect(page.getByRole('status')).toHaveText('Loading...');
  await expect(startChat(page)).toBeFocused();
  await releaseSignIn();
  await expect(page.getByRole('heading', { name: 'Start a conversation' })).toBeVisible();
  await expect(startChat(page)).toBeFocused();
  expect(changes).toEqual([]);

  const release = await hold(page, 'auth/anonymous');
  await page.reload({ waitUntil: 'commit' });
  await expect(page.locator('main .waiting-start')).toBeVisible();
  await startChat(page).click();
  await expect(page.getByRole('button', { name: 'Starting chat...' })).toBeVisible();
  expect(changes).toEqual([]);
  await release();
  await expect(page.getByLabel('Display Name')).toBeVisible();
  await expect.poll(() => changes).toEqual(['/seeInvite']);
});

const holds: [how: string, down: (page: Page) => Promise<void>, up: (page: Page) => Promise<void>][] = [
  [
    'the mouse',
    async (page) => {
      await startChat(page).hover();
      await page.mouse.down();
    },
    (page) => page.mouse.up(),
  ],
  [
    'Space',
    async (page) => {
      await startChat(page).focus();
      await page.keyboard.down('Space');
    },
    (page) => page.keyboard.up('Space'),
  ],
];
for (const [how, down, up] of holds) {
  test(`a press on Start chat with ${how} counts if the app takes over before it ends`, async ({ page }) => {
    const changes = changesBy(page);
    const releaseApp = await hold(page, 'assets/*.js');
    const releaseSignIn = await hold(page, 'auth/anonymous');
    await page.goto(createInvite(handler.alias), { waitUntil: 'commit' });
    await down(page);
    await releaseApp();
    await expect(page.locator('#preloader')).toHaveCount(0);
    await up(page);
    await expect(page.getByRole('button', { name: 'Starting chat...' })).toBeVisible();
    await releaseSignIn();
    await expect(page.getByLabel('Display Name')).toBeFocused();
    expect(changes).toEqual(['/seeInvite']);

    const release = await hold(page, 'auth/anonymous');
    await page.reload({ waitUntil: 'commit' });
    await expect(page.locator('main .waiting-start')).toBeVisible();
    await down(page);
    await release();
    await expect(page.getByRole('heading', { name: 'Start a conversation' })).toBeVisible();
    await up(page);
    await expect(page.getByLabel('Display Name')).toBeFocused();
    await expect.poll(() => changes).toEqual(['/seeInvite', '/seeInvite']);
  });
}
