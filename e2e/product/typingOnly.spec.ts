import type { BrowserContextOptions, Locator, Page } from '@playwright/test';
import { createHandler, type Handler } from './accounts.ts';
import { fromPalette, PALETTE } from './byKeyboard.ts';
import { inDatabase, makeConversations } from './database.ts';
import { enterConsole, holdLine } from './people.ts';
import { enablePush, joinPushNetwork } from './pushNetwork.ts';
import { expect, test } from './watched.ts';
import { deliverUntilShown, workerOf } from './workerOf.ts';

/** After a letter: at the start of a word a slash opens the saved replies, and the next key would pick one. */
const PRINTABLE = `a${Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i)).join('')}`;

const row = (desk: Page, name: string): Locator =>
  desk.getByRole('region', { name: 'My Queue' }).getByRole('link', { name: new RegExp(name) });

/** The ways to open the chat with Jonas. Each starts at the queue. */
const ways: Record<string, (desk: Page, id: string) => Promise<unknown>> = {
  'a click on its row': (desk) => row(desk, 'Jonas').click(),
  'Enter on its row': async (desk) => {
    await row(desk, 'Jonas').focus();
    await desk.keyboard.press('Enter');
  },
  'J, K and Enter': async (desk) => {
    await row(desk, 'Adaeze').focus();
    await desk.keyboard.press('j');
    await desk.keyboard.press('k');
    await desk.keyboard.press('k');
    await expect(row(desk, 'Jonas')).toBeFocused();
    await desk.keyboard.press('Enter');
  },
  'Alt and an arrow': (desk) => desk.keyboard.press('Alt+ArrowDown'),
  'its address': (desk, id) => desk.goto(`/handler/conversation/${id}`),
  'the palette': (desk) => fromPalette(desk, 'jonas', /Jonas Weber/),
  'a found message': async (desk) => {
    await desk.keyboard.press(PALETTE);
    await desk.keyboard.type('tomorrow');
    await expect(desk.getByRole('group', { name: 'Messages' }).locator('mark')).toBeVisible();
    await desk.keyboard.press('Enter');
  },
  'Undo after Close': async (desk) => {
    await row(desk, 'Jonas').click();
    await expect(desk.getByRole('heading', { name: 'Jonas Weber' })).toBeVisible();
    await desk.keyboard.press('Control+e');
    await expect(desk.getByText('Closed the chat with Jonas Weber.')).toBeVisible();
    await expect(desk).toHaveURL('/handler');
    await expect(desk.getByPlaceholder('Type your message...')).toHaveCount(0);
    await desk.keyboard.press('Control+z');
  },
  'Back and Forward': async (desk, id) => {
    await row(desk, 'Jonas').click();
    await expect(desk).toHaveURL(`/handler/conversation/${id}`);
    await desk.goBack();
    await expect(desk).toHaveURL('/handler');
    await desk.goForward();
  },
  'Close in another chat, for whoever goes on with the next waiting one': async (desk, id) => {
    await desk.evaluate(() => localStorage.setItem('queueAfterClosing', 'off'));
    await desk.reload();
    await row(desk, 'Mia').click();
    await expect(desk.getByRole('heading', { name: 'Mia Lang' })).toBeVisible();
    await desk.keyboard.press('Control+e');
    await expect(desk).toHaveURL(`/handler/conversation/${id}`);
  },
};

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
async function expectOnlyTyping(
  desk: Page,
  id: string,
  { atMessages = false }: { atMessages?: boolean | undefined } = {},
): Promise<void> {
  const field = desk.getByPlaceholder('Type your message...');
  await expect(desk).toHaveURL(new RegExp(`/handler/conversation/${id}`));
  await expect(field).toBeVisible();
  if (atMessages) {
    // The field is not focused, because that would open the on-screen keyboard. A hardware keyboard types anyway.
    await expect(desk.locator('[role="log"]:focus, [role="log"] :focus')).toHaveCount(1);
  } else {
    await expect(field).toBeFocused();
  }
  await desk.keyboard.type(PRINTABLE);
  await expect(field).toHaveValue(PRINTABLE);
  await expect(desk.getByRole('dialog')).toHaveCount(0);
  await expect(desk).toHaveURL(new RegExp(`/handler/conversation/${id}`));
  await field.fill('');
}

const windows: Record<string, BrowserContextOptions> = {
  'at 1300 px': { viewport: { width: 1300, height: 800 } },
  'at 390 px': { viewport: { width: 390, height: 844 } },
  'on a touch screen': { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
};

for (const [where, options] of Object.entries(windows)) {
  test(`[CONSOLE-02] ${where}, typing after a chat was opened in any way changes nothing but the draft`, async ({
    browser,
  }) => {
    test.setTimeout(180_000);
    const { handler, ids } = await someDesk();
    const id = ids[0] ?? '';
    const context = await browser.newContext(options);
    const desk = await context.newPage();
    await enterConsole(desk, handler, '/handler');
    const statuses = () =>
      inDatabase('select status, handler_alias, last_seq from conversations where id = any($1) order by id', [
        ids.slice(0, 3),
      ]);
    const before = await statuses();

    for (const [way, open] of Object.entries(ways)) {
      await test.step(way, async () => {
        await desk.goto('/handler');
        await expect(row(desk, 'Jonas')).toBeVisible();
        await open(desk, id);
        await expectOnlyTyping(desk, id, { atMessages: options.hasTouch || way === 'a found message' });
      });
    }
    expect(await statuses()).toEqual(before);
  });
}

test('[CONSOLE-02] typing after a click on a notification changes nothing but the draft', async ({
  browser,
}) => {
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

test('[CONSOLE-02] a letter pressed outside a field goes after the draft', async ({ browser }) => {
  const { handler, ids } = await someDesk();
  const desk = await browser.newPage();
  await enterConsole(desk, handler, `/handler/conversation/${ids[0]}`);
  const field = desk.getByPlaceholder('Type your message...');
  await field.fill('Dear');
  await desk.reload();
  await expect(field).toHaveValue('Dear');
  await expect(field).toBeFocused();
  await desk.keyboard.type(' J');
  // From the messages, from a button, and without focus.
  await desk.getByRole('log').focus();
  await desk.keyboard.type('on');
  await desk.getByRole('button', { name: 'Close', exact: true }).focus();
  await desk.keyboard.type('a');
  await desk.evaluate(() => (document.activeElement as HTMLElement).blur());
  await desk.keyboard.type('s');
  await expect(field).toHaveValue('Dear Jonas');
  await expect(desk).toHaveURL(`/handler/conversation/${ids[0]}`);
});

test('[CONSOLE-03] the last undo shows its key, and stays in the palette after the toast', async ({
  browser,
}) => {
  const { handler, ids } = await someDesk();
  const desk = await browser.newPage();
  await desk.clock.install();
  await enterConsole(desk, handler, `/handler/conversation/${ids[0]}`);
  await expect(desk.getByRole('heading', { name: 'Jonas Weber' })).toBeVisible();
  // Stops the clock, so that the toast stays while the test checks it.
  await desk.clock.pauseAt((await desk.evaluate(() => Date.now())) + 1_000);
  await desk.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(desk.getByRole('status').getByText('Closed the chat with Jonas Weber.')).toBeVisible();
  await expect(desk.getByRole('button', { name: 'Undo (Ctrl Z)' })).toBeVisible();
  await desk.clock.runFor(10_500);
  await expect(desk.getByRole('button', { name: 'Undo' })).toHaveCount(0);
  await desk.clock.resume();
  // The shortcut ended with the toast.
  await desk.keyboard.press('Control+z');
  await fromPalette(desk, 'undo', /^Undo: Closed the chat with Jonas Weber/);
  await expect(desk).toHaveURL(`/handler/conversation/${ids[0]}`);
  await expect(desk.getByText('Reopened the chat with Jonas Weber.')).toBeVisible();
});

test('[CONSOLE-15] a chat cannot be closed or blocked before the console knows its desk', async ({
  browser,
}) => {
  const { handler, ids } = await someDesk();
  const desk = await browser.newPage();
  const line = await holdLine(desk);
  line.onDown = (frame) => (JSON.parse(frame).type === 'welcome' ? frame : undefined);
  await enterConsole(desk, handler, `/handler/conversation/${ids[0]}`);
  for (const name of ['Close', 'Block']) {
    await expect(desk.getByRole('button', { name, exact: true })).toBeDisabled();
  }
  await desk.keyboard.press('Control+e');
  line.onDown = (frame) => frame;
  await desk.reload();
  await expect(desk.getByRole('button', { name: 'Close', exact: true })).toBeEnabled();
  await expect(desk.getByText(/^Closed the chat/)).toHaveCount(0);
});
