import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { aChat } from '../../../test/aDesk.ts';
import { holdDisk } from '../../../test/holdDisk.ts';
import { idOf } from '../../../test/idOf.ts';
import { renderConsole } from '../../../test/renderConsole.tsx';

test('[H-05] [H-06] an empty conversation says so, and its composer sends on Enter', async () => {
  const { screen, gateway } = await renderConsole({ chats: [aChat('Léa Moreau', [])] });
  await screen.getByRole('link', { name: /Léa Moreau/ }).click();
  await expect.poll(() => location.pathname).toBe(`/handler/conversation/${idOf('Léa Moreau')}`);
  await expect.element(screen.getByText('No messages yet')).toBeVisible();
  await expect.element(screen.getByText('Start the conversation by sending a message.')).toBeVisible();
  await expect
    .element(screen.getByText('Press Enter to send, Shift+Enter for new line').first())
    .toBeVisible();
  const field = screen.getByRole('textbox', { name: consoleTexts.staffPlaceholder });
  await field.fill('Hello');
  await userEvent.keyboard('{Shift>}{Enter}{/Shift}');
  await expect.element(field).toHaveValue('Hello\n');
  const disk = holdDisk();
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByRole('button', { name: 'Sending...' })).toBeVisible();
  disk.release();
  await expect.element(screen.getByRole('button', { name: 'Send', exact: true })).toBeVisible();
  await expect.element(field).toHaveValue('');
  await expect.poll(() => gateway.received('send').map(({ text }) => text)).toEqual(['Hello']);
});
