import type { Locator, Page } from '@playwright/test';
import { chromiumLaunch } from '../chromium.ts';
import { createHandler, createInvite } from './accounts.ts';
import { inDatabase, moveToDesk, storedTexts } from './database.ts';
import {
  bubbles,
  chatOfTwo,
  enterConsole,
  expectSignedOut,
  expectTexts,
  newPerson,
  send,
  signIn,
  startChat,
} from './people.ts';
import {
  clickLastNotice,
  deliverUntilShown,
  joinPushNetwork,
  nextPush,
  passTime,
  putInBackground,
  subscriptionOf,
  watchNotices,
  withoutPushes,
  workerOf,
} from './push.ts';
import { expect, test } from './watched.ts';

// Only the full Chromium has notifications.
test.use({ launchOptions: chromiumLaunch });

/** The owner of the subscription on the server. */
async function ownerOf({ endpoint }: { endpoint: string }): Promise<'visitor' | 'staff' | 'nobody'> {
  const { rows } = await inDatabase<{ alias: string | null }>(
    'select alias from push_subscriptions where endpoint = $1',
    [endpoint],
  );
  return rows[0] ? (rows[0].alias === null ? 'visitor' : 'staff') : 'nobody';
}

async function openPanel(page: Page): Promise<Locator> {
  await page.getByRole('button', { name: 'Notifications' }).first().click();
  return page.getByRole('dialog', { name: 'Notifications' });
}

/** Playwright reports every page as focused, whichever is in front. */
async function looksElsewhere(page: Page, front: Page): Promise<void> {
  const tools = await page.context().newCDPSession(page);
  await tools.send('Emulation.setFocusEmulationEnabled', { enabled: false });
  await front.bringToFront();
}

test('[N-01] [N-03] [N-04] [PUSH-09] a visitor enables notifications, gets one with the chat closed, opens the chat by a click, tests and disables them', async ({
  browser,
}) => {
  const handler = createHandler();
  const invite = createInvite(handler.alias);
  const { page: visitor, context } = await newPerson(browser);
  const name = `visitor of ${invite}`;
  const received = await joinPushNetwork(context, name);
  await startChat(visitor, invite, 'Tom');
  await send(visitor, 'Are you there?');
  await expect(visitor.getByText('Sent')).toBeVisible();
  const subscription = await subscriptionOf(name);
  const offer = await openPanel(visitor);
  await expect(offer).toContainText('Get notified of replies, even when this page is closed.');
  await offer.getByRole('button', { name: 'Enable' }).click();
  await expect(offer).toContainText('Notifications are on for this device');
  expect(await ownerOf(subscription)).toBe('visitor');
  const profileName = await visitor.title();
  const elsewhere = await context.newPage();
  await elsewhere.goto('/');
  const worker = await workerOf(context, elsewhere);
  await visitor.close();

  const { page: desk } = await newPerson(browser);
  await enterConsole(desk, handler, '/handler');
  await desk.getByRole('link', { name: /Tom/ }).click();
  await send(desk, 'Words for nobody else');
  await passTime(handler.alias, 'visitor');
  const payload = await nextPush(received);
  expect(payload).toMatchObject({ kind: 'message', to: 'visitor', seq: 2 });
  expect(JSON.stringify(payload)).not.toMatch(/Words|Ana|settee\.example/);
  expect(JSON.stringify(payload)).not.toContain(handler.alias);
  expect(JSON.stringify(payload)).not.toContain(invite.slice('/i/'.length));

  await deliverUntilShown(worker, payload, profileName);
  // The next notification replaces it.
  await worker.deliver(payload);
  const testPush = { kind: 'test', to: 'visitor', title: 'Notifications work' };
  await deliverUntilShown(worker, testPush, profileName, testPush.title);
  const notice = (await worker.shown()).find(({ tag }) => tag !== 'test');
  expect(notice).toMatchObject({ title: profileName, body: 'New message', actions: [] });
  await worker.click({ tag: 'test' });
  await worker.click({ tag: notice?.tag ?? '' });
  expect(await worker.opened()).toEqual([invite, invite]);
  expect(await worker.shown()).toEqual([]);

  const [path = ''] = await worker.opened();
  const back = await context.newPage();
  await back.goto(path);
  await expectTexts(back, ['Are you there?', 'Words for nobody else']);

  // While the chat is visible, a push shows nothing.
  await worker.deliver(payload);
  await deliverUntilShown(worker, testPush, testPush.title);
  await worker.click();

  const panel = await openPanel(back);
  await expect(panel).toContainText('Notifications are on for this device');
  await panel.getByRole('button', { name: 'Send a test notification' }).click();
  await expect(panel.getByText('A test notification is on its way.')).toBeVisible();
  await expect
    .poll(received)
    .toMatchObject([{ payload: { kind: 'message' } }, { payload: { kind: 'test' } }]);
  await panel.getByRole('button', { name: 'Disable' }).click();
  await expect(panel.getByRole('button', { name: 'Enable' })).toBeFocused();
  expect(await ownerOf(subscription)).toBe('nobody');
  await panel.getByRole('button', { name: 'Enable' }).click();
  await expect(panel).toContainText('Notifications are on for this device');
  await back.keyboard.press('Escape');

  // In a background tab a push shows a notification, and a click opens that tab.
  await looksElsewhere(back, elsewhere);
  await deliverUntilShown(worker, payload, profileName);
  await worker.click();
  expect((await worker.focused()).map((url) => new URL(url).pathname)).toEqual([invite, invite]);
  expect(await worker.opened()).toHaveLength(2);

  // The push service may replace the subscription. The worker reports this to the server without a page.
  const next = await subscriptionOf(`${name}, replaced`);
  expect(await ownerOf(subscription)).toBe('visitor');
  await worker.replaceSubscription(subscription, next);
  expect([await ownerOf(subscription), await ownerOf(next)]).toEqual(['nobody', 'visitor']);
});

test('[H-04] [N-03] [N-06] [PUSH-14] [PUSH-09] [PUSH-23] a handler enables notifications, sees who wrote, answers in the notification, no text is lost, and signing out ends them', async ({
  browser,
  baseURL,
}) => {
  const handler = createHandler();
  const invite = createInvite(handler.alias);
  const { page: visitor } = await newPerson(browser);
  await startChat(visitor, invite, 'Tom');
  const { page: desk, context } = await newPerson(browser);
  const name = `handler of ${invite}`;
  const received = await joinPushNetwork(context, name);
  const subscription = await subscriptionOf(name);
  await enterConsole(desk, handler, '/handler');
  const panel = await openPanel(desk);
  await expect(panel).toContainText('Get notified of new messages, even when the console is closed.');
  await panel.getByRole('button', { name: 'Enable' }).click();
  await expect(panel).toContainText('Notifications are on for this device');
  expect(await ownerOf(subscription)).toBe('staff');
  await desk.keyboard.press('Escape');
  // The console has the service worker too.
  const worker = await workerOf(context, desk);
  await send(visitor, 'Are you there?');
  await passTime(handler.alias, 'staff');

  const payload = await nextPush(received);
  expect(payload).toMatchObject({ kind: 'message', to: 'staff', title: 'Tom' });
  expect(JSON.stringify(payload)).not.toContain('Are you there');
  await deliverUntilShown(worker, payload, 'Tom');
  const [notice] = await worker.shown();
  expect(notice).toMatchObject({
    title: 'Tom',
    body: 'New message',
    actions: [{ action: 'reply', type: 'text', title: 'Reply', placeholder: 'Type your message...' }],
  });
  const { conversationId } = payload as { conversationId: string };
  const chat = `/handler/conversation/${conversationId}`;

  // With no console open: one message is sent, and the notification closes.
  const elsewhere = await context.newPage();
  await elsewhere.goto('/');
  const alone = await workerOf(context, elsewhere);
  await desk.close();
  await alone.click({ reply: 'On my way' });
  expect(await alone.shown()).toEqual([]);
  await expectTexts(visitor, ['Are you there?', 'On my way']);
  expect(await storedTexts(invite)).toEqual(['Are you there?', 'On my way']);

  // The same again from a slow device: the chat has an answer by now.
  await deliverUntilShown(alone, payload, 'Tom');
  await alone.click({ reply: 'Somebody was quicker' });
  const [failed] = await alone.shown();
  expect(failed).toMatchObject({
    title: 'Tom',
    body: 'Your reply has not been sent yet. Open the chat.',
    tag: notice?.tag,
    actions: [],
  });
  await alone.click();
  expect(await alone.opened()).toEqual([chat]);
  const console = await context.newPage();
  await console.goto(chat);
  await expect(console.getByPlaceholder('Type your message...')).toHaveValue('Somebody was quicker');
  await expect(bubbles(console)).toHaveCount(2);

  // An open console goes to the chat by itself and puts the held text into its composer.
  await console.getByPlaceholder('Type your message...').fill('');
  // The console loaded in this chat and then navigated in the same document, so its client URL is outdated.
  await console.getByRole('link', { name: 'My Queue' }).first().click();
  await expect(console).toHaveURL(`${baseURL}/handler`);
  await console.evaluate(() => Object.assign(globalThis, { sameDocument: true }));
  await deliverUntilShown(alone, payload, 'Tom');
  await alone.click({ reply: 'Too late again' });
  await alone.click();
  await expect(console).toHaveURL(`${baseURL}${chat}`);
  await expect(console.getByPlaceholder('Type your message...')).toHaveValue('Too late again');
  expect(await console.evaluate(() => 'sameDocument' in globalThis)).toBe(true);
  expect(await alone.opened()).toEqual([chat]);
  expect(await storedTexts(invite)).toEqual(['Are you there?', 'On my way']);

  // While this chat is visible, a push shows nothing. In a background tab it does, until the user returns.
  await alone.deliver(payload);
  const testPush = { kind: 'test', to: 'staff', title: 'Notifications work' };
  await deliverUntilShown(alone, testPush, testPush.title);
  await alone.click();
  await looksElsewhere(console, elsewhere);
  await deliverUntilShown(alone, payload, 'Tom');
  await console.bringToFront();
  await expect.poll(alone.shown).toEqual([]);

  // The chat moved to another desk before the reply, so no console can take the text. The notification shows it.
  await elsewhere.bringToFront();
  await deliverUntilShown(alone, payload, 'Tom');
  await moveToDesk(conversationId, createHandler().alias);
  await alone.click({ reply: 'To a chat that has left' });
  const body = 'Your reply couldn’t be sent. You wrote:\nTo a chat that has left';
  await expect.poll(alone.shown).toMatchObject([{ title: 'Tom', body }]);
  await alone.click();
  expect(await alone.shown()).toHaveLength(1);

  // Signing out closes it, so that the next user cannot read it, and ends the subscription.
  await console.bringToFront();
  await console.getByRole('button', { name: 'Sign Out' }).first().click();
  await expect.poll(alone.shown).toEqual([]);
  await expectSignedOut(console);
  await expect.poll(() => ownerOf(subscription)).toBe('nobody');
  expect(await console.evaluate(() => localStorage.getItem('push'))).toBeNull();
  await signIn(console, handler);
  await expect((await openPanel(console)).getByRole('button', { name: 'Enable' })).toBeVisible();
});

test('[H-04] [N-01] the console’s bell gives notices of visitors’ messages at the desk, without their text', async ({
  browser,
}) => {
  const { visitor, desk, handler } = await chatOfTwo(browser, 'Jonas');
  await desk.context().grantPermissions(['notifications']);
  await withoutPushes(desk.context());
  const notices = await watchNotices(desk);
  await desk.goto('/handler');
  await desk
    .getByRole('navigation', { name: 'Console' })
    .getByRole('button', { name: 'Notifications' })
    .click();
  const panel = desk.getByRole('dialog', { name: 'Notifications' });
  await expect(panel).toContainText('Get notified while this tab is open');
  await panel.getByRole('button', { name: 'Enable' }).click();
  await expect(panel.getByText('Notifications are on while this tab is open')).toBeVisible();
  await desk.keyboard.press('Escape');
  const row = desk.getByRole('link', { name: /Jonas/ });
  await send(visitor, 'The tab is in front');
  await expect(row).toContainText('The tab is in front');
  await putInBackground(desk, true);
  await send(visitor, 'Now it is not');
  await expect.poll(notices).toEqual([{ title: 'Jonas', body: 'New message' }]);
  const { page: second } = await newPerson(browser);
  await startChat(second, createInvite(handler.alias), 'Mia');
  await send(second, 'Hello');
  await expect.poll(notices).toEqual([
    { title: 'Jonas', body: 'New message' },
    { title: 'Mia', body: 'New message' },
  ]);
  await clickLastNotice(desk);
  await expect(desk.getByRole('heading', { name: 'Mia', level: 1 })).toBeVisible();
  await expect(desk).toHaveURL(/conversation/);
  await desk.getByRole('button', { name: 'Notifications' }).click();
  await panel.getByRole('button', { name: 'Disable' }).click();
  await send(visitor, 'And off again');
  await expect(row).toContainText('And off again');
  expect(await notices()).toHaveLength(2);
});
