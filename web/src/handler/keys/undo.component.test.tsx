import { expect, test, vi } from 'vitest';
import { page } from 'vitest/browser';
import {
  addressOf,
  composer,
  expectAddress,
  fromPalette,
  press,
  threeChats,
} from '../../../test/byKeyboard.ts';
import { renderConsole } from '../../../test/renderConsole.tsx';

const jonas = addressOf('Jonas Weber');

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
