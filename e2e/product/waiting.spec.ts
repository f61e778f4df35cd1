import type { Page } from '@playwright/test';
import { createHandler, createInvite } from './accounts.ts';
import { bannerCode, hold, newPerson, openCodeView, startChat } from './people.ts';
import { expect, test } from './watched.ts';

const handler = createHandler();

const answerWith = (page: Page, path: string, status: number, body: object | string) =>
  page.route(`**/${path}`, (route) =>
    route.fulfill({
      status,
      contentType: 'application/json',
      body: typeof body === 'string' ? body : JSON.stringify(body),
    }),
  );

test('[V-01] [S-01] a spinner shows while the link is checked', async ({ page }) => {
  const letGo = await hold(page, 'checkInvite/*');
  await page.goto(createInvite(handler.alias));
  await expect(page.locator('#preloader')).toHaveCount(0);
  await expect(page.getByRole('status')).toHaveText('Loading...');
  await expect(page.locator('main .waiting-spinner')).toBeVisible();
  await expect(page.getByRole('button', { name: 'Start chat' })).toHaveCount(0);
  await letGo();
  await expect(page.getByRole('button', { name: 'Start chat' })).toBeVisible();
});

test('[V-03] [S-02] [V-07] buttons show that they are busy', async ({ page }) => {
  const forms = await hold(page, 'assets/room*.js');
  const claimed = await hold(page, 'claimInvite');
  await page.goto(createInvite(handler.alias));
  await page.getByRole('button', { name: 'Start chat' }).click();
  await expect(page.getByRole('button', { name: 'Starting chat...' })).toBeDisabled();
  await forms();
  await page.getByLabel('Display Name').fill('Jonas');
  await page.getByRole('button', { name: 'Start Chatting' }).click();
  await expect(page.getByRole('button', { name: 'Saving...' })).toBeDisabled();
  await claimed();
  await expect(page.getByPlaceholder('Message...')).toBeVisible();
});

test('[V-04] [S-03] [E-02] the code view when busy, when refused without a text, and when cancelled', async ({
  browser,
}) => {
  const invite = createInvite(handler.alias);
  const { page: first } = await newPerson(browser);
  await startChat(first, invite, 'Mia');
  const code = await bannerCode(first);
  const { page } = await newPerson(browser);
  await openCodeView(page, invite, 'Mia');
  const field = page.getByRole('textbox');
  await expect(field).toHaveAttribute('inputmode', 'numeric');
  await expect(field).toBeFocused();

  await answerWith(page, 'attachInvite', 200, {
    success: true,
    conversationId: null,
    needsCode: false,
    error: null,
  });
  await field.fill(code);
  await expect(page.getByText('Failed to verify code')).toBeVisible();
  await page.unroute('**/attachInvite');

  // On an error the digits are selected, so typing replaces them.
  expect(
    await field.evaluate((input: HTMLInputElement) => [input.selectionStart, input.selectionEnd]),
  ).toEqual([0, 4]);
  const letGo = await hold(page, 'attachInvite');
  await page.keyboard.type(code);
  await expect(field).toHaveValue(code);
  await expect(page.getByRole('button', { name: 'Verifying...' })).toBeDisabled();
  await letGo();
  await expect(page.getByPlaceholder('Message...')).toBeVisible();

  const { page: third } = await newPerson(browser);
  await openCodeView(third, invite, 'Mia');
  await third.getByRole('button', { name: 'Cancel' }).click();
  await expect(third).toHaveURL('/');
});

test('[C-02] [V-04] a pasted code keeps its digits, at most four', async ({ browser }) => {
  const invite = createInvite(handler.alias);
  const { page: first } = await newPerson(browser);
  await startChat(first, invite, 'Mia');
  const { page, context } = await newPerson(browser);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await openCodeView(page, invite, 'Mia');
  await hold(page, 'attachInvite');
  await page.evaluate(() => navigator.clipboard.writeText(' 12 34-56'));
  await page.getByRole('textbox').press('ControlOrMeta+v');
  await expect(page.getByRole('textbox')).toHaveValue('1234');
  await expect(page.getByRole('button', { name: 'Verifying...' })).toBeVisible();
});

test('[E-03] [E-05] a failed claim shows the reason', async ({ page }) => {
  await page.goto(createInvite(handler.alias));
  await page.getByRole('button', { name: 'Start chat' }).click();
  const refused = { success: false, conversationId: null, continueCode: null, error: null };
  const cases: [number, object | string, string][] = [
    [200, refused, 'Failed to create conversation'],
    [200, { ...refused, error: 'The server knows best' }, 'The server knows best'],
    [502, '<html>', 'HTTP 502 Bad Gateway'],
  ];
  for (const [status, body, words] of cases) {
    await answerWith(page, 'claimInvite', status, body);
    await page.getByLabel('Display Name').fill('Jonas');
    await page.getByRole('button', { name: 'Start Chatting' }).click();
    await expect(page.getByText(words)).toBeVisible();
    await page.unroute('**/claimInvite');
  }
});

test('[E-03] a failed attach shows the reason', async ({ browser }) => {
  const invite = createInvite(handler.alias);
  const { page: first } = await newPerson(browser);
  await startChat(first, invite, 'Mia');
  const { page } = await newPerson(browser);
  await answerWith(page, 'attachInvite', 200, {
    success: false,
    conversationId: null,
    needsCode: false,
    error: null,
  });
  await page.goto(invite);
  await page.getByRole('button', { name: 'Start chat' }).click();
  await page.getByLabel('Display Name').fill('Mia');
  await page.getByRole('button', { name: 'Start Chatting' }).click();
  await expect(page.getByText('Failed to attach to conversation')).toBeVisible();
});

test('[E-01] [V-02] the server’s text about a link is shown', async ({ page }) => {
  await answerWith(page, 'checkInvite/*', 200, {
    success: false,
    exists: false,
    expired: false,
    revoked: false,
    state: null,
    error: 'This link was replaced',
  });
  await page.goto(createInvite(handler.alias));
  await expect(page.getByRole('heading', { name: 'Unable to access chat' })).toBeVisible();
  await expect(page.getByText('This link was replaced')).toBeVisible();
});

test('[E-04] [E-11] [S-07] a profile that cannot be saved is logged, and the chat opens anyway', async ({
  page,
}) => {
  const logged: string[] = [];
  page.on('console', (message) => message.type() === 'error' && logged.push(message.text()));
  await page.route('**/visitorProfile', (route) => route.abort());
  await startChat(page, createInvite(handler.alias), 'Jonas');
  // The page retries first.
  await expect.poll(() => logged.join('\n')).toContain('saveProfile: Network error');
});
