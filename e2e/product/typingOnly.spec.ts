import type { Locator, Page } from '@playwright/test';
import { chromiumLaunch } from '../chromium.ts';
import { createHandler, type Handler } from './accounts.ts';
import { inDatabase, makeConversations } from './database.ts';
import { PALETTE } from './pages.ts';
import { enterConsole } from './people.ts';
import { deliverUntilShown, enablePush, joinPushNetwork, workerOf } from './push.ts';
import { expect, test } from './watched.ts';

// Only the full Chromium has notifications.
test.use({ launchOptions: chromiumLaunch });

/** After a letter: at the start of a word a slash opens the saved replies, and the next key would pick one. */
const PRINTABLE = `a${Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i)).join('')}`;

const row = (desk: Page, name: string): Locator =>
  desk.getByRole('region', { name: 'My Queue' }).getByRole('link', { name: new RegExp(name) });

async function someDesk(): Promise<{ handler: Handler; ids: string[] }> {
  const handler = createHandler();
  const ids = await makeConversations(handler.alias, [
    { name: 'Jonas Weber', text: 'May I read it to them tomorrow?', minutesAgo: 1, waitingMinutes: 1 },
    { name: 'Adaeze Obi', text: 'Is the Berlin date still on?', minutesAgo: 6 },
    { name: 'Léa Moreau', text: 'Page 212, second paragraph', minutesAgo: 60 },
    { name: 'Mia Lang', text: 'That is all', minutesAgo: 90 },
  ]);
  return { handler, ids };
}

/** Presses every printable key in the opened chat. They become the draft, and nothing else happens. */
async function expectOnlyTyping(desk: Page, id: string): Promise<void> {
  const field = desk.getByPlaceholder('Type your message...');
  await expect(desk).toHaveURL(new RegExp(`/handler/conversation/${id}`));
  await expect(field).toBeVisible();
  await expect(field).toBeFocused();
  await expectTypes(desk, id);
}

async function expectTypes(desk: Page, id: string): Promise<void> {
  const field = desk.getByPlaceholder('Type your message...');
  await desk.keyboard.type(PRINTABLE);
  await expect(field).toHaveValue(PRINTABLE);
  await expect(desk.getByRole('dialog')).toHaveCount(0);
  await expect(desk).toHaveURL(new RegExp(`/handler/conversation/${id}`));
  await field.fill('');
}

test('typing after a click on a notification changes nothing but the draft', async ({ browser }) => {
  const { handler, ids } = await someDesk();
  const [id = ''] = ids;
  const context = await browser.newContext();
  await joinPushNetwork(context, `handler of ${handler.alias}`);
  const desk = await context.newPage();
  await enterConsole(desk, handler, '/handler');
  await enablePush(desk);
  const worker = await workerOf(context, desk);
  const payload = { kind: 'message', to: 'staff', conversationId: id, seq: 1, title: 'Jonas Weber' };
  // The console is open at the queue or in another chat.
  for (const start of ['/handler', `/handler/conversation/${ids[1]}`]) {
    await desk.goto(start);
    await expect(row(desk, 'Jonas')).toBeVisible();
    await deliverUntilShown(worker, payload, 'Jonas Weber');
    await worker.click();
    await expectOnlyTyping(desk, id);
  }
  // No console is open: the worker opens the chat's address.
  await desk.goto('/');
  await deliverUntilShown(worker, payload, 'Jonas Weber');
  await worker.click();
  const [address = ''] = await worker.opened();
  await desk.goto(address);
  await expectOnlyTyping(desk, id);
  const { rows } = await inDatabase('select status, last_seq from conversations where id = any($1)', [ids]);
  expect(rows).toEqual(ids.map(() => ({ status: 'open', last_seq: 1 })));
});

test('typing after a found message was opened changes nothing but the draft', async ({ browser }) => {
  const { handler, ids } = await someDesk();
  const desk = await browser.newPage();
  await enterConsole(desk, handler, '/handler');
  await expect(row(desk, 'Jonas')).toBeVisible();
  await desk.keyboard.press(PALETTE);
  await desk.keyboard.type('tomorrow');
  await expect(desk.getByRole('group', { name: 'Messages' }).locator('mark')).toBeVisible();
  await desk.keyboard.press('Enter');
  await expect(desk.locator('[data-seq="1"]')).toBeFocused();
  await expectTypes(desk, ids[0] ?? '');
});
