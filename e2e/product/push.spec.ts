import type { Locator, Page } from '@playwright/test';
import { fullChromium } from '../chromium.ts';
import { createHandler, createInvite } from './accounts.ts';
import { inDatabase, storedTexts } from './database.ts';
import {
  bubbles,
  enterConsole,
  expectSignedOut,
  expectTexts,
  newPerson,
  send,
  signIn,
  startChat,
} from './people.ts';
import { deliverUntilShown, joinPushNetwork, nextPush, passTime, subscriptionOf, workerOf } from './push.ts';
import { expect, test } from './watched.ts';

// Only the full Chromium has notifications.
test.use(fullChromium);

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
  for (const hidden of ['Words', 'Ana', handler.alias, invite.slice('/i/'.length)])
    expect(JSON.stringify(payload)).not.toContain(hidden);

  await deliverUntilShown(worker, payload, profileName);
  expect(await worker.shown()).toMatchObject([{ title: profileName, body: 'New message', actions: [] }]);
  await worker.click();
  expect(await worker.opened()).toEqual([invite]);
  expect(await worker.shown()).toEqual([]);
  const back = await context.newPage();
  await back.goto(invite);
  await expectTexts(back, ['Are you there?', 'Words for nobody else']);

  const panel = await openPanel(back);
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

  // The push service may replace the subscription. The worker reports this to the server without a page.
  const next = await subscriptionOf(`${name}, replaced`);
  await worker.replaceSubscription(subscription, next);
  expect([await ownerOf(subscription), await ownerOf(next)]).toEqual(['nobody', 'visitor']);
});

test('[H-04] [N-03] [N-06] [PUSH-14] [PUSH-09] [PUSH-23] a handler enables notifications, sees who wrote, answers in the notification, no text is lost, and signing out ends them', async ({
  browser,
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
  await panel.getByRole('button', { name: 'Enable' }).click();
  await expect(panel).toContainText('Notifications are on for this device');
  expect(await ownerOf(subscription)).toBe('staff');
  await desk.keyboard.press('Escape');
  // The console has the service worker too.
  const elsewhere = await context.newPage();
  await elsewhere.goto('/');
  const worker = await workerOf(context, elsewhere);
  await send(visitor, 'Are you there?');
  await passTime(handler.alias, 'staff');

  const payload = await nextPush(received);
  expect(payload).toMatchObject({ kind: 'message', to: 'staff', title: 'Tom' });
  expect(JSON.stringify(payload)).not.toContain('Are you there');
  await desk.close();
  await deliverUntilShown(worker, payload, 'Tom');
  expect(await worker.shown()).toMatchObject([
    {
      title: 'Tom',
      body: 'New message',
      actions: [{ action: 'reply', type: 'text', title: 'Reply', placeholder: 'Type your message...' }],
    },
  ]);

  // With no console open: one message is sent, and the notification closes.
  await worker.click({ reply: 'On my way' });
  expect(await worker.shown()).toEqual([]);
  await expectTexts(visitor, ['Are you there?', 'On my way']);

  // The same again from a slow device: the chat has an answer by now, and the person decides about the text.
  await deliverUntilShown(worker, payload, 'Tom');
  await worker.click({ reply: 'Somebody was quicker' });
  expect(await worker.shown()).toMatchObject([
    { title: 'Tom', body: 'Your reply has not been sent yet. Open the chat.', actions: [] },
  ]);
  await worker.click();
  const [chat = ''] = await worker.opened();
  expect(chat).toMatch(/^\/handler\/conversation\//);
  const console = await context.newPage();
  await console.goto(chat);
  await expect(bubbles(console)).toHaveCount(3);
  await console.getByRole('button', { name: 'Edit', exact: true }).click();
  await expect(console.getByPlaceholder('Type your message...')).toHaveValue('Somebody was quicker');
  await expect(bubbles(console)).toHaveCount(2);
  expect(await storedTexts(invite)).toEqual(['Are you there?', 'On my way']);

  await console.getByRole('button', { name: 'Sign Out' }).first().click();
  // The reply that came back is a draft.
  await console.getByRole('dialog').getByRole('button', { name: 'Sign Out' }).click();
  await expectSignedOut(console);
  await expect.poll(() => ownerOf(subscription)).toBe('nobody');
  expect(await console.evaluate(() => localStorage.getItem('push'))).toBeNull();
  await signIn(console, handler);
  await expect((await openPanel(console)).getByRole('button', { name: 'Enable' })).toBeVisible();
});
