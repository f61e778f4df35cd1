import type { Locator, Page } from '@playwright/test';
import { createHandler, type Handler } from './accounts.ts';
import { fromPalette, PALETTE, palette } from './byKeyboard.ts';
import { makeConversations } from './database.ts';
import { fillDesk } from './longDesk.ts';
import { hold, newPerson, signIn } from './people.ts';
import { expect, test } from './watched.ts';

/** The slash follows a letter: at the start of a word it opens the saved replies. */
const KEYS = 'jkrneuz/?JKRNEUZ';

const row = (desk: Page, name: string): Locator =>
  desk.getByRole('region', { name: 'My Queue' }).getByRole('link', { name: new RegExp(name) });
const heading = (desk: Page, name: string): Locator => desk.getByRole('heading', { name, exact: true });

async function threeChats(): Promise<{ handler: Handler; ids: string[] }> {
  const handler = createHandler();
  const ids = await makeConversations(handler.alias, [
    { name: 'Jonas Weber', text: 'May I read it to them tomorrow?', minutesAgo: 1, unread: 1 },
    { name: 'Adaeze Obi', text: 'Is the Berlin date still on?', minutesAgo: 6 },
    { name: 'Léa Moreau', text: 'Page 212, second paragraph', minutesAgo: 60, unread: 1 },
  ]);
  return { handler, ids };
}

async function typesAll(desk: Page, field: Locator): Promise<void> {
  const address = desk.url();
  const dialogs = await desk.locator('dialog').count();
  await field.focus();
  await desk.keyboard.type(KEYS);
  await expect(field).toHaveValue(KEYS);
  await expect(field).toBeFocused();
  expect(desk.url()).toBe(address);
  await expect(desk.locator('dialog')).toHaveCount(dialogs);
  await field.fill('');
}

test('[CONSOLE-40] every key is a character in every field, on any keyboard', async ({ browser }) => {
  const { handler } = await threeChats();
  createHandler();
  const { page: desk } = await newPerson(browser);
  await desk.goto('/handler');
  await typesAll(desk, desk.getByLabel('Email address'));
  await typesAll(desk, desk.getByLabel('Password'));
  await signIn(desk, handler);
  await row(desk, 'Jonas').click();
  await expect(heading(desk, 'Jonas Weber')).toBeVisible();

  await typesAll(desk, desk.getByPlaceholder('Type your message...'));
  await desk.getByRole('log').focus();
  await desk.keyboard.press('ControlOrMeta+i');
  await typesAll(desk, desk.getByPlaceholder('Write a note that only staff see...'));

  await desk.keyboard.press(PALETTE);
  await typesAll(desk, palette(desk));
  await desk.keyboard.press('Escape');
  await expect(palette(desk)).toHaveCount(0);
  await expect(desk.getByPlaceholder('Write a note that only staff see...')).toBeFocused();

  await fromPalette(desk, 'hand', 'Hand over');
  await typesAll(desk, desk.getByLabel('Note for the next handler'));
  await desk.keyboard.press('Escape');
  await expect(desk.getByRole('dialog')).toHaveCount(0);

  await fromPalette(desk, 'saved replies', 'Saved replies');
  await desk.getByRole('button', { name: 'New reply' }).first().click();
  await typesAll(desk, desk.getByLabel('Shortcut'));
  await typesAll(desk, desk.getByLabel('Text'));
});

test('[CONSOLE-42] a German keyboard, AltGr and an input method keep all their keys', async ({ browser }) => {
  const { handler } = await threeChats();
  const { page: desk, context } = await newPerson(browser);
  // Other tests share their replies with every desk.
  await desk.route('**/replies', (route) => route.fulfill({ json: { success: true, replies: [] } }));
  await signIn(desk, handler);
  await row(desk, 'Jonas').click();
  await expect(heading(desk, 'Jonas Weber')).toBeVisible();
  const log = desk.getByRole('log');
  const keyboard = await context.newCDPSession(desk);
  const [alt, ctrl, shift] = [1, 2, 8];
  async function press(key: string, code: string, modifiers: number): Promise<void> {
    await keyboard.send('Input.dispatchKeyEvent', { type: 'keyDown', key, code, modifiers, text: key });
    await keyboard.send('Input.dispatchKeyEvent', { type: 'keyUp', key, code, modifiers });
  }

  // On that layout '/' is Shift and 7.
  await log.focus();
  await press('/', 'Digit7', shift);
  const field = desk.getByPlaceholder('Type your message...');
  await expect(field).toBeFocused();
  await expect(desk.locator('form').getByText('No saved replies yet.')).toBeVisible();
  await desk.keyboard.press('Escape');
  await desk.keyboard.press('Escape');
  await expect(log).toBeFocused();
  await expect(field).toHaveValue('/');
  await field.fill('');
  await press('/', 'Digit7', shift + ctrl);
  await expect(desk.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await desk.keyboard.press('Escape');

  // AltGr and E types €, and closes nothing.
  await log.focus();
  await press('e', 'KeyE', alt + ctrl);
  await press('e', 'KeyE', alt);
  await expect(heading(desk, 'Jonas Weber')).toBeVisible();

  // During composition, Esc cancels the composition and the field keeps the focus.
  await field.fill('');
  await field.focus();
  await keyboard.send('Input.imeSetComposition', { text: 'じ', selectionStart: 1, selectionEnd: 1 });
  await expect(field).toHaveValue('じ');
  await keyboard.send('Input.dispatchKeyEvent', {
    type: 'rawKeyDown',
    key: 'Escape',
    code: 'Escape',
    windowsVirtualKeyCode: 229,
  });
  await expect(field).toBeFocused();
});

test('[CONSOLE-40] Alt and the arrows follow the shown list; focus, row and announcement follow', async ({
  browser,
}) => {
  const { handler, ids } = await threeChats();
  const { page: desk } = await newPerson(browser);
  await desk.setViewportSize({ width: 1280, height: 420 });
  await signIn(desk, handler);
  await expect(row(desk, 'Jonas')).toBeVisible();
  const log = desk.getByRole('log');
  const field = desk.getByPlaceholder('Type your message...');
  const at = (place: number, search = '') => `/handler/conversation/${ids[place]}${search}`;

  // Only the filtered conversations; the filter stays.
  await desk.goto('/handler?show=unread');
  await expect(row(desk, 'Jonas')).toBeVisible();
  await expect(row(desk, 'Adaeze')).toHaveCount(0);
  await desk.keyboard.press('Alt+ArrowDown');
  await expect(desk).toHaveURL(at(0, '?show=unread'));
  await desk.keyboard.press('Alt+ArrowDown');
  await expect(desk).toHaveURL(at(2, '?show=unread'));
  await expect(field).toBeFocused();
  // The field is empty: one press leaves it.
  await desk.keyboard.press('Escape');
  await expect(desk).toHaveURL('/handler?show=unread');

  await desk.goto('/handler');
  await expect(row(desk, 'Jonas')).toBeVisible();
  await desk.keyboard.press('Alt+ArrowDown');
  await expect(desk).toHaveURL(at(0));
  await expect(field).toBeFocused();
  await expect(desk.getByRole('status').filter({ hasText: 'Jonas Weber' })).toHaveCount(1);
  await desk.keyboard.type('Not for anybody else');
  await desk.keyboard.press('Alt+ArrowDown');
  await expect(desk).toHaveURL(at(1));
  await expect(field).toBeFocused();
  await expect(field).toHaveValue('');
  await desk.keyboard.press('Alt+ArrowDown');
  await desk.keyboard.press('Alt+ArrowDown');
  await expect(desk).toHaveURL(at(2));
  await expect(row(desk, 'Léa')).toBeInViewport();
  await desk.keyboard.press('Alt+ArrowUp');
  await expect(desk).toHaveURL(at(1));
  await desk.keyboard.press('Alt+ArrowUp');
  await expect(desk).toHaveURL(at(0));
  await expect(field).toHaveValue('Not for anybody else');

  // Esc leaves the field, then the conversation, then does nothing. The row gets the focus; J and K move it, Enter
  // opens.
  await desk.keyboard.press('Escape');
  await expect(log).toBeFocused();
  await desk.keyboard.press('Escape');
  await expect(desk).toHaveURL('/handler');
  await expect(row(desk, 'Jonas')).toBeFocused();
  await desk.keyboard.press('j');
  await expect(row(desk, 'Adaeze')).toBeFocused();
  await desk.keyboard.press('k');
  await expect(row(desk, 'Jonas')).toBeFocused();
  await expect(desk).toHaveURL('/handler');
  await desk.keyboard.press('Enter');
  await expect(desk).toHaveURL(at(0));
});

test('[CONSOLE-43] switched off, single keys do nothing, and stay off', async ({ browser }) => {
  const { handler, ids } = await threeChats();
  const { page: desk } = await newPerson(browser);
  await signIn(desk, handler);
  await expect(row(desk, 'Jonas')).toBeVisible();
  await desk.keyboard.press('?');
  const shortcuts = desk.getByRole('dialog', { name: 'Keyboard shortcuts' });
  await expect(shortcuts.getByRole('row')).not.toHaveCount(0);
  await expect(shortcuts.getByRole('switch', { name: 'Single-key shortcuts' })).toBeFocused();
  await desk.keyboard.press('j');
  await expect(desk).toHaveURL('/handler');
  await desk.keyboard.press('Space');
  await desk.keyboard.press('Escape');
  await expect(shortcuts).toHaveCount(0);

  await desk.goto('/handler');
  await row(desk, 'Jonas').focus();
  for (const key of [...Array.from('jkrneuz/?'), 'Escape']) await desk.keyboard.press(key);
  await expect(desk).toHaveURL('/handler');
  await expect(desk.getByRole('dialog')).toHaveCount(0);
  await expect(row(desk, 'Jonas')).toBeFocused();
  // Shortcuts with a modifier still work.
  await desk.keyboard.press('Alt+ArrowDown');
  await expect(desk).toHaveURL(`/handler/conversation/${ids[0]}`);
  await desk.keyboard.press('ControlOrMeta+/');
  await desk.keyboard.press('Space');
  await desk.keyboard.press('Escape');
  await row(desk, 'Jonas').focus();
  await desk.keyboard.press('j');
  await expect(row(desk, 'Adaeze')).toBeFocused();
});

test('[CONSOLE-31] [CONSOLE-30] a late answer does not move a handler who went on, and a failure still reaches them', async ({
  browser,
}) => {
  const { handler, ids } = await threeChats();
  const { page: desk } = await newPerson(browser);
  await signIn(desk, handler);
  await row(desk, 'Jonas').click();
  await expect(heading(desk, 'Jonas Weber')).toBeVisible();
  await desk.getByRole('log').focus();
  const field = desk.getByPlaceholder('Type your message...');
  const at = (place: number) => `/handler/conversation/${ids[place]}`;

  // The first chat closes while the handler types in the second. The typing is not interrupted.
  const closing = await hold(desk, 'status');
  await desk.keyboard.press('ControlOrMeta+e');
  await desk.keyboard.press('Alt+ArrowDown');
  await expect(desk).toHaveURL(at(1));
  await desk.keyboard.type('half a ');
  await closing();
  // The toast stays while the pointer is over it.
  await desk.getByText('Closed the chat with Jonas Weber.').hover();
  await desk.keyboard.type('thought');
  await expect(field).toHaveValue('half a thought');
  await expect(desk).toHaveURL(at(1));
  await desk.unroute('**/status');

  // The same for Undo: typing continues.
  const undoing = await hold(desk, 'status');
  await desk.getByRole('button', { name: 'Undo' }).click();
  await field.focus();
  await undoing();
  await expect(desk.getByText('Reopened the chat with Jonas Weber.')).toBeVisible();
  await desk.keyboard.type('!');
  await expect(field).toHaveValue(/!/);
  await expect(desk).toHaveURL(at(1));
  await desk.unroute('**/status');

  // A failure is shown in the current chat, with the name of the other one.
  let fail = () => {};
  const failing = new Promise<void>((resolve) => {
    fail = resolve;
  });
  await desk.route('**/unread', async (route) => {
    await failing;
    await route.abort();
  });
  await fromPalette(desk, 'unread', 'Mark unread');
  await desk.keyboard.press('Alt+ArrowDown');
  await expect(desk).toHaveURL(at(2));
  fail();
  await expect(desk.getByText(/^Adaeze Obi: Network error/)).toBeVisible();
  await expect(desk).toHaveURL(at(2));
});

test('[CONSOLE-27] a form that was left closes no other when its answer arrives', async ({ browser }) => {
  const { page: desk } = await newPerson(browser);
  await signIn(desk, createHandler());
  const saving = await hold(desk, 'replies/*');
  await fromPalette(desk, 'saved replies', 'Saved replies');
  await desk.getByRole('button', { name: 'New reply' }).first().click();
  await desk.getByLabel('Shortcut').fill('first');
  await desk.getByLabel('Text').fill('Of the form before');
  await desk.getByRole('button', { name: 'Save', exact: true }).click();
  await desk.keyboard.press('Escape');
  await desk.getByRole('button', { name: 'New reply' }).first().click();
  await desk.getByLabel('Shortcut').fill('second');
  const saved = desk.waitForResponse(/\/replies\//);
  await saving();
  await saved;
  await desk.keyboard.type('-one');
  await expect(desk.getByLabel('Shortcut')).toHaveValue('second-one');
});

test('[CONSOLE-40] typing into a field that is removed triggers no command', async ({ browser }) => {
  const { handler, ids } = await threeChats();
  const { page: desk, context } = await newPerson(browser);
  await signIn(desk, handler);
  await row(desk, 'Adaeze').click();
  const field = desk.getByPlaceholder('Type your message...');
  const at = (place: number) => `/handler/conversation/${ids[place]}`;
  await field.focus();
  await desk.keyboard.type('Dear ');
  const colleague = await context.newPage();
  await colleague.goto(at(1));
  await colleague.getByRole('button', { name: 'Close', exact: true }).click();
  await expect(desk.getByText('This conversation is closed')).toBeVisible();
  await desk.bringToFront();
  await desk.keyboard.type('jke?');
  await desk.keyboard.press('Escape');
  await expect(desk).toHaveURL(at(1));
  await expect(desk.getByRole('dialog')).toHaveCount(0);
  // The closed conversation has left the queue, so the next one is the first.
  await expect(row(desk, 'Adaeze')).toHaveCount(0);
  await desk.keyboard.press('Alt+ArrowDown');
  await expect(desk).toHaveURL(at(0));
  await expect(field).toBeFocused();

  // The session is still valid after all, so the sign-in form disappears while it is being filled in.
  const release = await hold(desk, 'auth/staff/refresh');
  await desk.goto('/handler');
  await desk.getByLabel('Email address').focus();
  await desk.keyboard.type('a');
  await release();
  await expect(row(desk, 'Jonas')).toBeVisible();
  await desk.keyboard.type('j');
  expect(await desk.evaluate(() => document.activeElement === document.body)).toBe(true);
  await desk.keyboard.press('Escape');
  await desk.keyboard.press('j');
  await expect(row(desk, 'Jonas')).toBeFocused();
});

test('[CONSOLE-40] keys do nothing inside the bell’s panel, and Esc closes only that', async ({
  browser,
}) => {
  const { handler, ids } = await threeChats();
  const { page: desk } = await newPerson(browser);
  await signIn(desk, handler);
  const address = `/handler/conversation/${ids[0]}`;
  await row(desk, 'Jonas').click();
  await desk.getByRole('button', { name: 'Notifications' }).click();
  const panel = desk.getByRole('dialog', { name: 'Notifications' });
  await expect(panel).toBeFocused();
  await desk.keyboard.type('jue');
  await expect(desk).toHaveURL(address);
  await desk.keyboard.press('Escape');
  await expect(panel).toHaveCount(0);
  await expect(desk).toHaveURL(address);
});

test('[MSG-35] a message that loads slowly does not take the focus from someone who started to write', async ({
  browser,
}) => {
  const handler = createHandler();
  const [chat] = await fillDesk(handler.alias, { conversations: 1, messages: 300 });
  const { page: desk } = await newPerson(browser);
  await signIn(desk, handler);
  await desk.goto(`/handler/conversation/${chat?.id}`);
  await expect(desk.locator('[data-seq="300"]')).toBeInViewport();
  const release = await hold(desk, 'messages?*');
  await desk.evaluate((to) => {
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, `/handler/conversation/${chat?.id}?message=20`);
  await desk.getByRole('log').focus();
  const field = desk.getByPlaceholder('Type your message...');
  await desk.keyboard.type('Just ');
  await release();
  await expect(desk.locator('[data-seq="20"]')).toBeInViewport();
  await desk.keyboard.type('rejoice');
  await expect(field).toHaveValue('Just rejoice');
});
