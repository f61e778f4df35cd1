import type { Page } from '@playwright/test';
import { createHandler, createInvite } from './accounts.ts';
import { inDatabase, moveToDesk, storedTexts } from './database.ts';
import { bubbles, expectTexts, newPerson, send, signIn, startChat } from './people.ts';
import { enablePush, joinPushNetwork, nextPush, passTime, subscriptionOf } from './pushNetwork.ts';
import { expect, test } from './watched.ts';
import { deliverUntilShown, workerOf } from './workerOf.ts';

async function isSubscribed(endpoint: string): Promise<boolean> {
  const { rowCount } = await inDatabase('select from push_subscriptions where endpoint = $1', [endpoint]);
  return rowCount === 1;
}

/** Playwright reports every page as focused, whichever is in front. */
async function looksElsewhere(page: Page, front: Page): Promise<void> {
  const tools = await page.context().newCDPSession(page);
  await tools.send('Emulation.setFocusEmulationEnabled', { enabled: false });
  await front.bringToFront();
}

test('[PUSH-19] [PUSH-22] a visitor with the chat closed gets a notification of an answer, and a click opens that chat', async ({
  browser,
}) => {
  test.slow();
  const handler = createHandler();
  const invite = createInvite(handler.alias);
  const { page: visitor, context } = await newPerson(browser);
  const name = `visitor of ${invite}`;
  const received = await joinPushNetwork(context, name);
  await startChat(visitor, invite, 'Tom');
  await send(visitor, 'Are you there?');
  await expect(visitor.getByText('Sent')).toBeVisible();
  await enablePush(visitor);
  const profileName = await visitor.title();
  const elsewhere = await context.newPage();
  await elsewhere.goto('/');
  const worker = await workerOf(context, elsewhere);
  await visitor.close();

  const { page: desk } = await newPerson(browser);
  await signIn(desk, handler);
  await desk.getByRole('link', { name: /Tom/ }).click();
  await send(desk, 'Words for nobody else');
  await passTime(handler.alias, 'visitor');
  const payload = await nextPush(received);
  expect(JSON.stringify(payload)).not.toMatch(/Words|Ana|settee\.example/);
  expect(JSON.stringify(payload)).not.toContain(handler.alias);
  expect(JSON.stringify(payload)).not.toContain(invite.slice('/i/'.length));

  await worker.deliver(payload);
  await expect.poll(worker.shown).toHaveLength(1);
  // The next notification replaces it.
  await worker.deliver(payload);
  await worker.deliver({ kind: 'test', to: 'visitor', title: 'Notifications work' });
  await expect.poll(worker.shown).toHaveLength(2);
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
  await worker.deliver({ kind: 'test', to: 'visitor', title: 'Notifications work' });
  await expect.poll(worker.shown).toHaveLength(1);
  expect(await worker.shown()).toMatchObject([{ title: 'Notifications work' }]);
  await worker.click();
  // In a background tab it does, and a click opens that tab.
  await looksElsewhere(back, elsewhere);
  await deliverUntilShown(worker, payload, profileName);
  await worker.click();
  expect((await worker.focused()).map((url) => new URL(url).pathname)).toEqual([invite, invite]);
  expect(await worker.opened()).toHaveLength(2);

  // The push service may replace the subscription. The worker reports this to the server without a page.
  const [old, next] = [await subscriptionOf(name), await subscriptionOf(`${name}, replaced`)];
  expect(await isSubscribed(old.endpoint)).toBe(true);
  await worker.replaceSubscription(old, next);
  expect([await isSubscribed(old.endpoint), await isSubscribed(next.endpoint)]).toEqual([false, true]);
});

test('[PUSH-19] [PUSH-22] [PUSH-23] a handler sees who wrote, answers in the notification, and no text is lost', async ({
  browser,
  baseURL,
}) => {
  test.slow();
  const handler = createHandler();
  const invite = createInvite(handler.alias);
  const { page: visitor } = await newPerson(browser);
  await startChat(visitor, invite, 'Tom');
  const { page: desk, context } = await newPerson(browser);
  const received = await joinPushNetwork(context, `handler of ${invite}`);
  await signIn(desk, handler);
  await enablePush(desk);
  const worker = await workerOf(context, desk);
  await send(visitor, 'Are you there?');
  await passTime(handler.alias, 'staff');

  const payload = await nextPush(received);
  expect(JSON.stringify(payload)).not.toContain('Are you there');
  await worker.deliver(payload);
  await expect.poll(worker.shown).toHaveLength(1);
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
  await alone.deliver(payload);
  await expect.poll(alone.shown).toHaveLength(1);
  await alone.click({ reply: 'Too late again' });
  await alone.click();
  await expect(console).toHaveURL(`${baseURL}${chat}`);
  await expect(console.getByPlaceholder('Type your message...')).toHaveValue('Too late again');
  expect(await console.evaluate(() => 'sameDocument' in globalThis)).toBe(true);
  expect(await alone.opened()).toEqual([chat]);
  expect(await storedTexts(invite)).toEqual(['Are you there?', 'On my way']);

  // While this chat is visible, a push shows nothing. In a background tab it does, until the user returns.
  await alone.deliver(payload);
  await alone.deliver({ kind: 'test', to: 'staff', title: 'Notifications work' });
  await expect.poll(alone.shown).toMatchObject([{ title: 'Notifications work' }]);
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

  // Signing out closes it, so that the next user cannot read it.
  await console.bringToFront();
  await console.getByRole('button', { name: 'Sign Out' }).first().click();
  await expect.poll(alone.shown).toEqual([]);
});
