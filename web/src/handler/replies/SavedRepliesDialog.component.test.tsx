import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { fromPalette, press, queueRow, typeText } from '../../../test/byKeyboard.ts';
import { renderConsole } from '../../../test/renderConsole.tsx';

test('a form that was left closes no other when its answer arrives', async () => {
  const { gateway } = await renderConsole();
  await expect.element(queueRow('Jonas')).toBeVisible();
  gateway.answer('saveReply', ({ params: { id = '' }, body }) => ({
    reply: { ...body, id, editable: true },
  }));
  const answer = gateway.hold('saveReply');
  await fromPalette('saved replies', 'Saved replies');
  const newReply = page.getByRole('button', { name: 'New reply' }).first();
  const shortcut = page.getByLabelText('Shortcut');
  await newReply.click();
  await shortcut.fill('first');
  await page.getByRole('textbox', { name: 'Text' }).fill('Of the form before');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await expect.poll(() => gateway.asked('saveReply')).toHaveLength(1);
  await press('Escape');
  await newReply.click();
  await shortcut.fill('second');
  answer();
  await typeText('-one');
  await expect.element(shortcut).toHaveValue('second-one');
  // The answer has arrived: the list has the first reply.
  await press('Escape');
  await expect.element(page.getByRole('listitem').filter({ hasText: '/first' })).toBeVisible();
});
