import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { expect, onTestFinished, test, vi } from 'vitest';
import { cdp, type Locator, page, userEvent } from 'vitest/browser';
import {
  addressOf,
  composer,
  expectAddress,
  focus,
  fromPalette,
  palette,
  press,
  queueRow,
  renderConsole,
  threeChats,
  typeText,
} from '../../../test/renderConsole.tsx';
import { keysSetting } from '../account/settings.ts';

/** The slash follows a letter: at the start of a word it opens the saved replies. */
const KEYS = 'jkrneuz/?JKRNEUZ';

const jonas = addressOf('Jonas Weber');
const dialog = page.getByRole('dialog');
const log = page.getByRole('log');

async function typesAll(field: Locator): Promise<void> {
  // The dialog of the field may still be opening, and the one before it closing.
  await focus(field);
  const address = location.href;
  const dialogs = document.querySelectorAll('dialog[open]').length;
  await typeText(KEYS);
  await expect.element(field).toHaveValue(KEYS);
  await expect.element(field).toHaveFocus();
  expect(location.href).toBe(address);
  expect(document.querySelectorAll('dialog[open]')).toHaveLength(dialogs);
  await field.fill('');
}

test('every key is a character in every field', async () => {
  const readDesks = { desks: [{ alias: 'mara-west', people: ['Ben'], online: true }] };
  await renderConsole({ path: jonas, chats: threeChats(), answers: { readDesks } });
  await typesAll(composer);
  await focus(log);
  await press('Control+i');
  const note = page.getByPlaceholder('Write a note that only staff see...');
  await typesAll(note);

  await press('Control+k');
  await typesAll(palette);
  await press('Escape');
  await expect.element(palette).not.toBeInTheDocument();
  await expect.element(note).toHaveFocus();

  await fromPalette('hand', 'Hand over');
  await typesAll(page.getByLabelText('Note for the next handler'));
  await press('Escape');
  await expect.element(dialog).not.toBeInTheDocument();

  await fromPalette('saved replies', 'Saved replies');
  await page.getByRole('button', { name: 'New reply' }).first().click();
  await typesAll(page.getByLabelText('Shortcut'));
  await typesAll(page.getByRole('textbox', { name: 'Text' }));
});

test('a German keyboard, AltGr and an input method keep all their keys', async () => {
  await renderConsole({ path: jonas, chats: threeChats() });
  const [alt, ctrl, shift] = [1, 2, 8];
  async function pressOnLayout(key: string, code: string, modifiers: number): Promise<void> {
    await cdp().send('Input.dispatchKeyEvent', { type: 'keyDown', key, code, modifiers, text: key });
    await cdp().send('Input.dispatchKeyEvent', { type: 'keyUp', key, code, modifiers });
  }

  // On that layout '/' is Shift and 7.
  await log.click();
  await focus(log);
  await pressOnLayout('/', 'Digit7', shift);
  await expect.element(composer).toHaveFocus();
  await expect.element(page.getByText('No saved replies yet.').first()).toBeVisible();
  await press('Escape');
  await press('Escape');
  await expect.element(log).toHaveFocus();
  await expect.element(composer).toHaveValue('/');
  await composer.fill('');
  await pressOnLayout('/', 'Digit7', shift + ctrl);
  await expect.element(page.getByRole('dialog', { name: 'Keyboard shortcuts' })).toBeVisible();
  await press('Escape');
  await expect.element(dialog).not.toBeInTheDocument();

  // AltGr and E types €, and closes nothing.
  await focus(log);
  await pressOnLayout('e', 'KeyE', alt + ctrl);
  await pressOnLayout('e', 'KeyE', alt);
  await expect.element(page.getByRole('heading', { name: 'Jonas Weber' })).toBeVisible();
  await expectAddress(jonas);

  // During composition, Esc cancels the composition and the field keeps the focus.
  await composer.fill('');
  await focus(composer);
  await cdp().send('Input.imeSetComposition', { text: 'じ', selectionStart: 1, selectionEnd: 1 });
  await expect.element(composer).toHaveValue('じ');
  const escapeKey = { key: 'Escape', code: 'Escape', windowsVirtualKeyCode: 229 };
  await cdp().send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...escapeKey });
  await expect.element(composer).toHaveFocus();
});

test('switched off, single keys do nothing, and stay off', async () => {
  onTestFinished(() => keysSetting.set(true));
  const chats = threeChats();
  const first = await renderConsole({ chats });
  await expect.element(queueRow('Jonas')).toBeVisible();
  await typeText('?');
  const shortcuts = page.getByRole('dialog', { name: consoleTexts.shortcutsTitle });
  await expect.element(shortcuts.getByRole('row').first()).toBeVisible();
  await expect.element(shortcuts.getByRole('switch', { name: /^Single-key shortcuts/ })).toHaveFocus();
  await typeText('j');
  await expectAddress('/handler');
  await press('Space');
  await press('Escape');
  await expect.element(shortcuts).not.toBeInTheDocument();
  await first.screen.unmount();
  expect(localStorage.getItem('keys')).toBe('off');

  await renderConsole({ chats });
  await focus(queueRow('Jonas'));
  for (const key of ['j', 'k', 'krneuz/?', '{Escape}']) {
    await userEvent.keyboard(key);
    await expect.element(queueRow('Jonas')).toHaveFocus();
    await expect.element(dialog).not.toBeInTheDocument();
    await expectAddress('/handler');
  }
  // Shortcuts with a modifier still work.
  await press('Alt+ArrowDown');
  await expectAddress(jonas);
  await press('Control+/');
  await expect.element(shortcuts.getByRole('switch', { name: /^Single-key shortcuts/ })).toHaveFocus();
  await press('Space');
  await press('Escape');
  await expect.element(shortcuts).not.toBeInTheDocument();
  await focus(queueRow('Jonas'));
  await typeText('j');
  await expect.element(queueRow('Adaeze')).toHaveFocus();
});

test('Alt and the arrows follow the shown list; focus, row and announcement follow', async () => {
  await page.viewport(1280, 420);
  await renderConsole({ chats: threeChats() });
  await expect.element(queueRow('Jonas')).toBeVisible();
  await press('Alt+ArrowDown');
  await expectAddress(addressOf('Jonas Weber'));
  await expect.element(composer).toHaveFocus();
  await expect.element(page.getByRole('status').filter({ hasText: 'Jonas Weber' })).toBeInTheDocument();
  await typeText('Not for anybody else');
  await press('Alt+ArrowDown');
  await expectAddress(addressOf('Adaeze Obi'));
  await expect.element(composer).toHaveFocus();
  await expect.element(composer).toHaveValue('');
  // The second press at the end of the list does nothing.
  await press('Alt+ArrowDown');
  await press('Alt+ArrowDown');
  await expectAddress(addressOf('Léa Moreau'));
  await expect.element(queueRow('Léa')).toBeInViewport();
  await press('Alt+ArrowUp');
  await expectAddress(addressOf('Adaeze Obi'));
  await press('Alt+ArrowUp');
  await expectAddress(addressOf('Jonas Weber'));
  await expect.element(composer).toHaveValue('Not for anybody else');

  // Esc leaves the field, then the conversation, then does nothing. The row gets the focus; J and K move it, Enter
  // opens.
  await press('Escape');
  await expect.element(page.getByRole('log')).toHaveFocus();
  await press('Escape');
  await expectAddress('/handler');
  await expect.element(queueRow('Jonas')).toHaveFocus();
  await typeText('j');
  await expect.element(queueRow('Adaeze')).toHaveFocus();
  await typeText('k');
  await expect.element(queueRow('Jonas')).toHaveFocus();
  await expectAddress('/handler');
  await press('Enter');
  await expectAddress(addressOf('Jonas Weber'));
});

const adaeze = addressOf('Adaeze Obi');

/** From now on no timer of the page ends, so a toast stays until `vi.useRealTimers()`. */
const stopTimers = () => vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });

test('[CONSOLE-33] [CONSOLE-28] a late answer does not move a handler who went on', async () => {
  const { gateway } = await renderConsole({ path: jonas, chats: threeChats() });
  await focus(page.getByRole('log'));
  stopTimers();

  // The first chat closes while the handler types in the second. The typing is not interrupted.
  const close = gateway.hold('setStatus');
  await press('Control+e');
  await expect.poll(() => gateway.asked('setStatus')).toHaveLength(1);
  await press('Alt+ArrowDown');
  await expectAddress(adaeze);
  await expect.element(composer).toHaveFocus();
  await typeText('half a ');
  close();
  await expect.element(page.getByText('Closed the chat with Jonas Weber.')).toBeVisible();
  await typeText('thought');
  await expect.element(composer).toHaveValue('half a thought');
  await expectAddress(adaeze);

  // The same for Undo: typing continues.
  const reopen = gateway.hold('setStatus');
  await page.getByRole('button', { name: /^Undo/ }).click();
  await expect.poll(() => gateway.asked('setStatus')).toHaveLength(2);
  await focus(composer);
  reopen();
  await expect.element(page.getByText('Reopened the chat with Jonas Weber.')).toBeVisible();
  await typeText('!');
  await expect.element(composer).toHaveValue('half a thought!');
  await expectAddress(adaeze);
});

test('the last undo shows its key, and stays in the palette after the toast', async () => {
  const { gateway } = await renderConsole({ path: jonas, chats: threeChats() });
  await expect.element(composer).toHaveFocus();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  await expect.element(page.getByText('Closed the chat with Jonas Weber.')).toBeVisible();
  const undo = page.getByRole('button', { name: 'Undo (Ctrl Z)' });
  await expect.element(undo).toBeVisible();
  vi.advanceTimersByTime(10_500);
  await expect.element(undo).not.toBeInTheDocument();
  vi.useRealTimers();
  // The shortcut ended with the toast.
  await press('Control+z');
  expect(gateway.asked('setStatus')).toHaveLength(1);
  await fromPalette('undo', /^Undo: Closed the chat with Jonas Weber/);
  await expectAddress(jonas);
  await expect.element(page.getByText('Reopened the chat with Jonas Weber.')).toBeVisible();
});

test('a letter pressed outside a field goes after the draft', async () => {
  const chats = threeChats();
  const before = await renderConsole({ path: jonas, chats });
  await composer.fill('Dear');
  await before.screen.unmount();
  await renderConsole({ path: jonas, chats });
  await expect.element(composer).toHaveValue('Dear');
  await expect.element(composer).toHaveFocus();
  await typeText(' J');
  // From the messages, from a button, and without focus.
  await focus(log);
  await typeText('on');
  await focus(page.getByRole('button', { name: 'Close', exact: true }));
  await typeText('a');
  (document.activeElement as HTMLElement).blur();
  await typeText('s');
  await expect.element(composer).toHaveValue('Dear Jonas');
  expect(location.pathname).toBe(jonas);
});
