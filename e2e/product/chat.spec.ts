import { chromium, type Page } from '@playwright/test';
import { chromiumLaunch } from '../chromium.ts';
import { createHandler, createInvite } from './accounts.ts';
import { endConversation } from './database.ts';
import { startGateway } from './ownInstallation.ts';
import { typeUntilSeen } from './pages.ts';
import {
  bubbles,
  chatOfTwo,
  chooseInMenu,
  expectTexts,
  newPerson,
  send,
  signIn,
  signInWithForm,
  startChat,
  startChatWithForms,
} from './people.ts';
import { alsoInFirefox, expect, nightly, test } from './watched.ts';

test(
  '[R-02] [V-14] [K-04] [S-11] [S-04] [S-07] [C-07] a visitor and a handler chat, each in an own browser',
  alsoInFirefox,
  async ({ browser }) => {
    const handler = createHandler();
    const { page: visitor } = await newPerson(browser);
    const { page: desk } = await newPerson(browser);
    await signIn(desk, handler);
    await expect(desk.getByText('No conversations')).toBeVisible();

    await startChat(visitor, createInvite(handler.alias), 'Jonas');
    await expect(visitor.getByText('Online')).toBeVisible();
    await send(visitor, '  How did the reading in Lyon land?  ');
    await expect(bubbles(visitor, 'out')).toHaveText([/How did the reading in Lyon land\?/]);
    await expect(visitor.getByText('Sent')).toBeVisible();

    const row = desk.getByRole('link', { name: /Jonas/ });
    await expect(row).toContainText('How did the reading in Lyon land?');
    await expect(desk.getByRole('heading', { name: 'My Queue (1)' })).toBeVisible();
    await row.click();
    await expect(desk.getByText('Chat with')).toBeVisible();
    // The server drops typing signals of a page that does not watch the conversation yet.
    await expectTexts(desk, ['How did the reading in Lyon land?']);
    const reply = desk.getByPlaceholder('Type your message...');
    await typeUntilSeen(reply, 'They loved it.', visitor.getByText('is typing'));
    await reply.press('Enter');
    for (const page of [visitor, desk])
      await expectTexts(page, ['How did the reading in Lyon land?', 'They loved it.']);
    await expect(bubbles(visitor, 'in')).toHaveText([/They loved it\./]);
    await expect(bubbles(desk, 'out')).toHaveText([/They loved it\./]);
    await expect(desk.getByText('Seen')).toBeVisible();

    await chooseInMenu(visitor, 'Change name');
    const dialog = visitor.getByRole('dialog', { name: 'Change name' });
    await dialog.getByLabel('Display Name').fill('Jonas Weber');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await expect(dialog).toHaveCount(0);
    await expect(desk.getByRole('heading', { name: 'Jonas Weber' })).toBeVisible();
  },
);

test(
  '[MSG-22] [MSG-21] closed within the window keeps the composer; closed later and blocked show the same text',
  alsoInFirefox,
  async ({ browser }) => {
    const { visitor: closed, desk, invite, handler } = await chatOfTwo(browser, 'Anna');
    const { page: blocked } = await newPerson(browser);
    // At the same desk, so that both headers show the same.
    const blockedInvite = createInvite(handler.alias);
    await startChat(blocked, blockedInvite, 'Berta');
    await send(closed, 'goodbye');
    await expect(bubbles(desk)).toHaveCount(1);
    await desk.getByRole('button', { name: 'Close', exact: true }).click();
    const notice = closed.getByText('This conversation was closed. Sending a message reopens it.');
    await expect(notice).toBeVisible();
    await send(closed, 'one more thing');
    await expect(notice).toHaveCount(0);
    await expect(desk.getByRole('link', { name: /Anna/ })).toContainText('one more thing');
    for (const text of ['goodbye', 'one more thing']) await send(blocked, text);
    await expect(blocked.getByText('Sent', { exact: true })).toBeVisible();

    await endConversation(invite, 'closed', 365);
    await endConversation(blockedInvite, 'blocked', 0);
    for (const visitor of [closed, blocked]) {
      await visitor.reload();
      await expect(visitor.getByText('You can still read it here on this device.')).toBeVisible();
      await expect(visitor.getByPlaceholder('Message...')).toHaveCount(0);
      await expectTexts(visitor, ['goodbye', 'one more thing']);
    }
    // Ignores whether the handler has seen the last message.
    const seen = async (page: Page) =>
      (await page.locator('#app').innerText()).replace(/(?:Seen )?\d\d:\d\d|Sent/g, '');
    // A page that connected slowly says so for a moment.
    await expect(async () => expect(await seen(closed)).toBe(await seen(blocked))).toPass();
  },
);

test(
  'over plain http, on a name other than localhost, the chat works, and the bell says what needs https',
  nightly,
  async () => {
    const host = 'settee.lan';
    const args = [...chromiumLaunch.args, `--host-resolver-rules=MAP ${host} 127.0.0.1`];
    const [gateway, browser] = await Promise.all([
      startGateway({}, host),
      chromium.launch({ ...chromiumLaunch, args }),
    ]);
    const origin = gateway.url.replace('localhost', host);
    try {
      const handler = createHandler();
      const { page: visitor } = await newPerson(browser, { baseURL: origin });
      const { page: desk } = await newPerson(browser, { baseURL: origin });
      await startChatWithForms(visitor, createInvite(handler.alias), 'Ida');
      expect(await visitor.evaluate(() => isSecureContext)).toBe(false);
      await send(visitor, 'over plain http');
      await expect(visitor.getByText('Sent')).toBeVisible();
      await signInWithForm(desk, handler);
      await desk.getByRole('link', { name: /Ida/ }).click();
      await expect(bubbles(desk, 'in')).toHaveText(/over plain http/);
      await send(desk, 'and back');
      await expect(bubbles(visitor, 'in')).toHaveText(/and back/);
      await visitor.reload();
      await expect(bubbles(visitor)).toHaveCount(2);
      await visitor.getByRole('button', { name: /^Notifications/ }).click();
      await expect(
        visitor.getByText('Notifications need a secure address. Open this page over https.'),
      ).toBeVisible();
    } finally {
      await browser.close();
      await gateway.stop();
    }
  },
);
