import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import { emulateTouch } from '../../../test/browser.ts';
import {
  addressOf,
  agedChat,
  composer,
  expectAddress,
  focus,
  fromPalette,
  press,
  queueRow,
  renderConsole,
  typeText,
} from '../../../test/renderConsole.tsx';
import { queueAfterClosing } from '../account/settings.ts';

/** After a letter: at the start of a word a slash opens the saved replies, and the next key would pick one. */
const PRINTABLE = `a${Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i)).join('')}`;

/** The same in short: the single-key shortcuts, old and new. */
const SHORTCUTS = 'ajkrneuz/?';

const jonas = addressOf('Jonas Weber');
const log = page.getByRole('log');
const closeButton = page.getByRole('button', { name: 'Close', exact: true });

function fourChats() {
  return [
    agedChat('Jonas Weber', 'May I read it to them tomorrow?', 1),
    agedChat('Adaeze Obi', 'Is the Berlin date still on?', 6, { seen: true }),
    agedChat('Léa Moreau', 'Page 212, second paragraph', 60, { seen: true }),
    agedChat('Mia Lang', 'That is all', 90, { seen: true }),
  ];
}

/** The ways to open the chat with Jonas. Each starts at the queue, unless it has an address. */
const ways: Record<string, { path?: string; open?: () => Promise<unknown> }> = {
  'a click on its row': { open: () => queueRow('Jonas').click() },
  'Enter on its row': {
    async open() {
      await focus(queueRow('Jonas'));
      await press('Enter');
    },
  },
  'J, K and Enter': {
    async open() {
      await focus(queueRow('Adaeze'));
      await typeText('jkk');
      await expect.element(queueRow('Jonas')).toHaveFocus();
      await press('Enter');
    },
  },
  'Alt and an arrow': { open: () => press('Alt+ArrowDown') },
  'its address': { path: jonas },
  'the palette': { open: () => fromPalette('jonas', /Jonas Weber/) },
  'Undo after Close': {
    async open() {
      await queueRow('Jonas').click();
      await expect.element(page.getByRole('heading', { name: 'Jonas Weber' })).toBeVisible();
      // The toast stays.
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      await press('Control+e');
      await expect.element(page.getByText('Closed the chat with Jonas Weber.')).toBeVisible();
      await expectAddress('/handler');
      await expect.element(composer).not.toBeInTheDocument();
      await press('Control+z');
      await expectAddress(jonas);
      vi.useRealTimers();
    },
  },
  'Back and Forward': {
    async open() {
      await queueRow('Jonas').click();
      await expectAddress(jonas);
      history.back();
      await expectAddress('/handler');
      // The address changes before the chat disappears.
      await expect.element(composer).not.toBeInTheDocument();
      history.forward();
    },
  },
  'Close in another chat, for whoever goes on with the next waiting one': {
    async open() {
      queueAfterClosing.set(false);
      onTestFinished(() => queueAfterClosing.set(true));
      await queueRow('Mia').click();
      await expect.element(page.getByRole('heading', { name: 'Mia Lang' })).toBeVisible();
      await expect.element(composer).toBeVisible();
      await press('Control+e');
      await expectAddress(jonas);
    },
  },
};

const windows = {
  'at 1300 px': { width: 1300, height: 800, touch: false },
  'on a touch screen': { width: 390, height: 844, touch: true },
};

async function expectOnlyTyping(text: string, atMessages: boolean): Promise<void> {
  await expect.poll(() => location.pathname).toBe(jonas);
  // The address changes before the other chat disappears.
  await expect.element(page.getByRole('heading', { name: 'Jonas Weber' })).toBeVisible();
  await expect.element(composer).toBeVisible();
  // The field is not focused if that would open the on-screen keyboard. A hardware keyboard types anyway.
  if (atMessages) await expect.poll(() => document.activeElement?.closest('[role="log"]')).toBeTruthy();
  else await expect.element(composer).toHaveFocus();
  await typeText(text);
  await expect.element(composer).toHaveValue(text);
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();
  expect(location.pathname).toBe(jonas);
}

describe.each(Object.entries(windows))('%s', (_, { width, height, touch }) => {
  test.each(Object.entries(ways))(
    'typing after a chat was opened by %s changes nothing but the draft',
    async (way, { path = '/handler', open }) => {
      await page.viewport(width, height);
      if (touch) await emulateTouch();
      const { gateway } = await renderConsole({ path, chats: fourChats() });
      if (path === '/handler') await expect.element(queueRow('Jonas')).toBeVisible();
      await open?.();
      const changes = () =>
        (['setStatus', 'transfer', 'markUnread', 'snooze', 'addNote'] as const).flatMap(gateway.asked).length;
      const before = changes();
      await expectOnlyTyping(way === 'a click on its row' ? PRINTABLE : SHORTCUTS, touch);
      expect(changes()).toBe(before);
      expect(gateway.received('send')).toEqual([]);
    },
  );
});

test('a letter pressed outside a field goes after the draft', async () => {
  const chats = fourChats();
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
  await focus(closeButton);
  await typeText('a');
  (document.activeElement as HTMLElement).blur();
  await typeText('s');
  await expect.element(composer).toHaveValue('Dear Jonas');
  expect(location.pathname).toBe(jonas);
});
