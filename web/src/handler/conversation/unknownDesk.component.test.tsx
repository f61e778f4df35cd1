import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { ana } from '../../../test/aDesk.ts';
import { addressOf, press } from '../../../test/byKeyboard.ts';
import { renderConsole } from '../../../test/renderConsole.tsx';

test('a chat cannot be closed or blocked before the console knows its desk', async () => {
  const path = addressOf('Jonas Weber');
  const ready = Promise.withResolvers<void>();
  const refreshStaff = async () => {
    await ready.promise;
    return { staff: ana, idToken: 'id-token', expiresAt: Date.now() + 3_600_000 };
  };
  const { screen, gateway } = await renderConsole({ path, answers: { refreshStaff }, atOnce: true });
  // Of the server's frames only `welcome` arrives.
  gateway.onFrame.watchQueue = () => [];
  gateway.onFrame.watch = () => [];
  ready.resolve();
  const buttons = ['Close', 'Block'].map((name) => page.getByRole('button', { name, exact: true }));
  for (const button of buttons) await expect.element(button).toBeDisabled();
  await press('Control+e');
  expect(gateway.asked('setStatus')).toEqual([]);
  await screen.unmount();

  await renderConsole({ path });
  for (const button of buttons) await expect.element(button).toBeEnabled();
  await expect.element(page.getByText(/^Closed the chat/)).not.toBeInTheDocument();
});
