import type { Page } from '@playwright/test';
import { createHandler, createInvite } from './accounts.ts';
import { inDatabase } from './database.ts';
import { bannerCode, chatOfTwo, newPerson, send, signIn, startChat } from './people.ts';
import { joinPushNetwork, passTime } from './pushNetwork.ts';
import { expect, test } from './watched.ts';

const IPHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1';

const bell = (page: Page) => page.getByRole('button', { name: 'Notifications' });
const panelOf = (page: Page) => page.getByRole('dialog', { name: 'Notifications' });

async function openPanel(page: Page) {
  await bell(page).click();
  return panelOf(page);
}

/** The owner of the subscription on the server. */
async function ownerOf(endpoint: string): Promise<'visitor' | 'staff' | 'nobody'> {
  const { rows } = await inDatabase<{ alias: string | null }>(
    'select alias from push_subscriptions where endpoint = $1',
    [endpoint],
  );
  return rows[0] ? (rows[0].alias === null ? 'visitor' : 'staff') : 'nobody';
}

test('[N-01] [N-03] [N-04] [PUSH-15] a visitor enables notifications, gets one for an unseen message, tests it, disables it', async ({
  browser,
}) => {
  test.slow();
  const handler = createHandler();
  const invite = createInvite(handler.alias);
  const { page: visitor, context } = await newPerson(browser);
  const network = await joinPushNetwork(context, `a visitor of ${invite}`);
  const endpoint = `${process.env.PUSH_SERVICE_URL}/push/${encodeURIComponent(`a visitor of ${invite}`)}`;
  await startChat(visitor, invite, 'Mia');
  await send(visitor, 'Are you there?');
  await expect(visitor.getByText('Sent')).toBeVisible();

  const panel = await openPanel(visitor);
  await expect(panel).toContainText('Get notified of replies, even when this page is closed.');
  await panel.getByRole('button', { name: 'Enable' }).click();
  await expect(panel).toContainText('Notifications are on for this device');
  expect(await ownerOf(endpoint)).toBe('visitor');
  await visitor.goto('about:blank');

  const { page: desk } = await newPerson(browser);
  await signIn(desk, handler);
  await desk.getByRole('link', { name: /Mia/ }).click();
  await send(desk, 'Here I am');
  await send(desk, 'What can I do for you?');
  await expect(desk.getByText('Sent')).toBeVisible();
  await passTime(handler.alias, 'visitor');
  await expect.poll(network).toHaveLength(1);
  const [told] = await network();
  expect(told?.payload).toMatchObject({ kind: 'message', to: 'visitor', seq: 3 });

  await visitor.goto(invite);
  await openPanel(visitor);
  await expect(panel).toContainText('Notifications are on for this device');
  await panel.getByRole('button', { name: 'Send a test notification' }).click();
  await expect(panel.getByText('A test notification is on its way.')).toBeVisible();
  // Two messages made one notification, and messages that were seen made none.
  expect((await network()).map(({ payload }) => (payload as { kind: string }).kind)).toEqual([
    'message',
    'test',
  ]);

  await visitor.route('**/push/unsubscribe', (route) => route.abort());
  await panel.getByRole('button', { name: 'Disable' }).click();
  await expect(panel.getByRole('alert')).toHaveText('Failed to disable notifications');
  await expect(panel).toContainText('Notifications are on for this device');
  await visitor.unroute('**/push/unsubscribe');
  await panel.getByRole('button', { name: 'Disable' }).click();
  await expect(panel.getByRole('button', { name: 'Enable' })).toBeFocused();
  await expect(panel.getByRole('alert')).toBeEmpty();
  expect(await ownerOf(endpoint)).toBe('nobody');

  await visitor.route('**/push/subscription', (route) => route.abort());
  await panel.getByRole('button', { name: 'Enable' }).click();
  await expect(panel.getByRole('alert')).toHaveText('Failed to enable notifications');
});

test('[H-04] [N-03] [N-06] [PUSH-18] a handler enables notifications at the desk and gets them; signing out ends them', async ({
  browser,
}) => {
  test.slow();
  const { visitor, desk, handler } = await chatOfTwo(browser, 'Jonas');
  const name = `the desk ${handler.alias}`;
  const network = await joinPushNetwork(desk.context(), name);
  const endpoint = `${process.env.PUSH_SERVICE_URL}/push/${encodeURIComponent(name)}`;
  await desk.reload();
  // The console has the service worker too.
  await desk.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  const panel = await openPanel(desk);
  await expect(panel).toContainText('Get notified of new messages, even when the console is closed.');
  await panel.getByRole('button', { name: 'Enable' }).click();
  await expect(panel).toContainText('Notifications are on for this device');
  expect(await ownerOf(endpoint)).toBe('staff');
  await desk.keyboard.press('Escape');
  await desk.goto('/handler');
  // The bell in the rail shows the same state.
  const rail = desk.getByRole('navigation', { name: 'Console' });
  await rail.getByRole('button', { name: 'Notifications' }).click();
  await expect(panel.getByRole('button', { name: 'Disable' })).toBeVisible();
  await desk.keyboard.press('Escape');

  await send(visitor, 'Hello');
  await expect(desk.getByRole('link', { name: /Jonas/ })).toContainText('Hello');
  await passTime(handler.alias, 'staff');
  await expect.poll(network).toHaveLength(1);
  expect((await network())[0]?.payload).toMatchObject({ kind: 'message', to: 'staff', title: 'Jonas' });

  await desk.getByRole('link', { name: /Jonas/ }).click();
  await desk.getByRole('button', { name: 'Sign Out' }).first().click();
  await expect(desk.getByLabel('Password')).toBeVisible();
  expect(await ownerOf(endpoint)).toBe('nobody');
  expect(await desk.evaluate(() => localStorage.getItem('push'))).toBeNull();
  await signIn(desk, handler);
  await rail.getByRole('button', { name: 'Notifications' }).click();
  await expect(panel.getByRole('button', { name: 'Enable' })).toBeVisible();
});

test('[E-07] [N-02] [N-05] the panel shows why notifications cannot be enabled', async ({ browser }) => {
  const handler = createHandler();
  // Headless Chromium denies the permission.
  const { page: denied } = await newPerson(browser);
  await startChat(denied, createInvite(handler.alias), 'Mia');
  await openPanel(denied);
  await denied.getByRole('button', { name: 'Enable' }).click();
  const blocked = denied.getByRole('dialog', { name: 'Notifications Blocked' });
  await expect(blocked.getByRole('alert')).toHaveText('Notification permission denied');

  // Permission is granted, but the browser's push network is unreachable.
  const { page: alone, context } = await newPerson(browser);
  await context.grantPermissions(['notifications']);
  await startChat(alone, createInvite(handler.alias), 'Mia');
  const panel = await openPanel(alone);
  await panel.getByRole('button', { name: 'Enable' }).click();
  await expect(panel.getByRole('alert')).toHaveText('Failed to get FCM token', { timeout: 30_000 });

  const { page: old, context: oldOne } = await newPerson(browser);
  await oldOne.addInitScript(() => Reflect.deleteProperty(globalThis, 'PushManager'));
  await startChat(old, createInvite(handler.alias), 'Mia');
  await expect(await openPanel(old)).toContainText('Notifications not supported in this browser');

  const iPhone = await browser.newContext({ userAgent: IPHONE });
  const safari = await iPhone.newPage();
  await safari.goto('/chat');
  await expect(await openPanel(safari)).toContainText(
    'Notifications not available on iOS Safari. Use Chrome or add to home screen.',
  );

  // A visitor without a conversation gets no notifications.
  const { page: nobody, context: stranger } = await newPerson(browser);
  await joinPushNetwork(stranger, 'a stranger');
  await nobody.goto('/chat');
  await openPanel(nobody);
  await nobody.getByRole('button', { name: 'Enable' }).click();
  await expect(panelOf(nobody).getByRole('alert')).toHaveText('Visitor ID is required');
});

test('[V-09] [PUSH-16] on an iPhone the way to the Home Screen shows once, after the first answer, and from the menu', async ({
  browser,
}) => {
  const handler = createHandler();
  const iPhone = await browser.newContext({ userAgent: IPHONE, viewport: { width: 390, height: 720 } });
  const visitor = await iPhone.newPage();
  const invite = createInvite(handler.alias);
  await startChat(visitor, invite, 'Mia');
  const code = await bannerCode(visitor);
  await send(visitor, 'Are you there?');
  await expect(visitor.getByText('Sent')).toBeVisible();
  await expect(bell(visitor)).toHaveCount(0);

  const { page: desk } = await newPerson(browser);
  await signIn(desk, handler);
  await desk.getByRole('link', { name: /Mia/ }).click();
  await send(desk, 'Here I am');
  await expect(visitor.getByText('Here I am', { exact: true })).toBeVisible();
  const sheet = visitor.getByRole('dialog', { name: 'Get replies on this iPhone' });
  // Not while the visitor types.
  await expect(visitor.getByPlaceholder('Message...')).toBeFocused();
  await expect(sheet).toHaveCount(0);
  await visitor.getByPlaceholder('Message...').blur();
  await expect(sheet).toContainText('Safari sends notifications only to chats on your Home Screen.');
  await expect(sheet.getByRole('listitem')).toHaveText([
    'Tap Share in the toolbar',
    'Choose Add to Home Screen',
    `Open it, enter code ${code}, tap Enable`,
  ]);
  await sheet.getByRole('button', { name: 'Got it' }).click();
  await expect(sheet).toHaveCount(0);

  await visitor.reload();
  await expect(visitor.getByText('Here I am', { exact: true })).toBeVisible();
  await visitor.getByRole('button', { name: 'More' }).click();
  await expect(visitor.getByRole('menuitem', { name: 'Get notifications' })).toBeVisible();
  await expect(sheet).toHaveCount(0);
  await visitor.getByRole('menuitem', { name: 'Get notifications' }).click();
  await expect(sheet).toBeVisible();
  const fresh = await bannerCode(visitor);
  expect(fresh).not.toBe(code);
  await expect(sheet.getByRole('listitem').last()).toHaveText(`Open it, enter code ${fresh}, tap Enable`);
  await visitor.keyboard.press('Escape');
  await expect(visitor.getByRole('button', { name: 'More' })).toBeFocused();

  // A code that may be used up is not shown, neither while the next one is created nor if that fails.
  const asked = Promise.withResolvers<void>();
  const answered = Promise.withResolvers<void>();
  await visitor.route('**/continueCode', async (route) => {
    asked.resolve();
    await answered.promise;
    await route.fulfill({ status: 503, body: '{}' });
  });
  await visitor.getByRole('button', { name: 'More' }).click();
  await visitor.getByRole('menuitem', { name: 'Get notifications' }).click();
  await asked.promise;
  await expect(sheet.getByRole('listitem').last()).toHaveText('Open it, enter code …, tap Enable');
  answered.resolve();
  await expect(sheet.getByRole('listitem').last()).toHaveText(
    'Open it, enter a code from your first device, tap Enable',
  );
});
