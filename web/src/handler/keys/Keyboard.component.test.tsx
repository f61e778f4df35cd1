import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { expect, onTestFinished, test } from 'vitest';
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
  threeChats,
  typeText,
} from '../../../test/byKeyboard.ts';
import { Refused } from '../../../test/fakeGateway.ts';
import { renderConsole } from '../../../test/renderConsole.tsx';
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
  const signedOut = { refreshStaff: () => new Refused('unauthenticated') };
  const signIn = await renderConsole({ answers: signedOut, atOnce: true });
  await typesAll(page.getByLabelText('Email address'));
  await typesAll(page.getByLabelText('Password', { exact: true }));
  await signIn.screen.unmount();

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

test('keys do nothing inside the bell’s panel, and Esc closes only that', async () => {
  await renderConsole({ path: jonas, chats: threeChats() });
  await page.getByRole('button', { name: 'Notifications' }).click();
  const panel = page.getByRole('dialog', { name: /^Notifications/ });
  await expect.element(panel).toHaveFocus();
  await typeText('jue');
  await expect.element(composer).toHaveValue('');
  await expectAddress(jonas);
  await press('Escape');
  await expect.element(panel).not.toBeInTheDocument();
  await expectAddress(jonas);
});
