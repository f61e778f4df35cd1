import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import {
  addressOf,
  composer,
  expectAddress,
  press,
  queueRow,
  threeChats,
  typeText,
} from '../../../test/byKeyboard.ts';
import { renderConsole } from '../../../test/renderConsole.tsx';

test('Alt and the arrows move within the filtered list, and keep the filter', async () => {
  const chats = threeChats();
  await renderConsole({ path: '/handler?show=unread', chats });
  await expect.element(queueRow('Jonas')).toBeVisible();
  await expect.element(queueRow('Adaeze')).not.toBeInTheDocument();
  await press('Alt+ArrowDown');
  await expectAddress(`${addressOf('Jonas Weber')}?show=unread`);
  await press('Alt+ArrowDown');
  await expectAddress(`${addressOf('Léa Moreau')}?show=unread`);
  await expect.element(composer).toHaveFocus();
  // The field is empty: one press leaves it.
  await press('Escape');
  await expectAddress('/handler?show=unread');
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
