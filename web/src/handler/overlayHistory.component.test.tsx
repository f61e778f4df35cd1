import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { aChat } from '../../test/aDesk.ts';
import { idOf } from '../../test/idOf.ts';
import { renderConsole } from '../../test/renderConsole.tsx';

test('Back closes an overlay of the console before it leaves the conversation', async () => {
  await page.viewport(1100, 800);
  const { screen } = await renderConsole({ chats: [aChat('Jonas Weber'), aChat('Adaeze Obi')] });
  const row = (name: string) => screen.getByRole('link', { name: new RegExp(name) });
  const at = (name: string) => `/handler/conversation/${idOf(name)}`;
  const expectAddress = (path: string) => expect.poll(() => location.pathname).toBe(path);
  const dialog = screen.getByRole('dialog');
  const palette = screen.getByRole('combobox', { name: consoleTexts.palettePlaceholder });
  const fromPalette = async (typed: string, option: string) => {
    await userEvent.keyboard('{Control>}k{/Control}');
    await expect.element(palette).toHaveFocus();
    await userEvent.keyboard(typed);
    await screen.getByRole('option', { name: new RegExp(`^${option}`) }).click();
  };
  await row('Jonas').click();
  await expectAddress(at('Jonas Weber'));

  // Back closes the overlay and keeps the conversation.
  for (const [typed, option] of [
    ['details', 'Details'],
    ['block', 'Block visitor'],
    ['saved', 'Saved replies'],
  ] as const) {
    await fromPalette(typed, option);
    await expect.element(palette).not.toBeInTheDocument();
    await expect.element(dialog).toBeVisible();
    history.back();
    await expect.element(dialog).not.toBeInTheDocument();
    await expectAddress(at('Jonas Weber'));
  }

  // With two overlays, Back closes one at a time.
  await fromPalette('details', 'Details');
  await expect.element(palette).not.toBeInTheDocument();
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(palette).toBeVisible();
  history.back();
  await expect.element(palette).not.toBeInTheDocument();
  await expect.element(dialog).toBeVisible();
  history.back();
  await expect.element(dialog).not.toBeInTheDocument();

  // After closing in another way, one Back goes from the conversation to the queue.
  await fromPalette('block', 'Block visitor');
  await expect.element(palette).not.toBeInTheDocument();
  await expect.element(dialog).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  history.back();
  await expectAddress('/handler');

  // From the palette to another chat and back.
  await row('Jonas').click();
  await expectAddress(at('Jonas Weber'));
  await userEvent.keyboard('{Control>}k{/Control}');
  await expect.element(palette).toBeVisible();
  await userEvent.keyboard('{Escape}');
  await expect.element(palette).not.toBeInTheDocument();
  await row('Adaeze').click();
  await expectAddress(at('Adaeze Obi'));
  history.back();
  await expectAddress(at('Jonas Weber'));
  history.back();
  await expectAddress('/handler');
});
