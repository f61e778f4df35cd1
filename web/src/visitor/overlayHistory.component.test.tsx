import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { inviteToken } from '../../test/aVisitor.ts';
import { renderVisitor } from '../../test/renderVisitor.tsx';

test('Back closes an overlay of the visitor’s chat before it leaves', async () => {
  history.replaceState(null, '', '/before');
  history.pushState(null, '', '/i/chat');
  const { screen } = await renderVisitor();
  const address = `/i/${inviteToken}`;
  const more = screen.getByRole('button', { name: 'More' });
  const dialog = screen.getByRole('dialog');
  const open = async (item: string) => {
    await more.click();
    await screen.getByRole('menuitem', { name: item }).click();
    await expect.element(dialog).toBeVisible();
  };
  await more.click();
  await expect.element(screen.getByRole('menu')).toBeVisible();
  history.back();
  await expect.element(screen.getByRole('menu')).not.toBeInTheDocument();
  expect(location.pathname).toBe(address);
  await expect.element(more).toHaveFocus();
  for (const item of ['Change name', 'Download conversation', 'Devices', 'Delete conversation']) {
    await open(item);
    history.back();
    await expect.element(dialog).not.toBeInTheDocument();
    expect(location.pathname).toBe(address);
  }
  await screen.getByRole('button', { name: 'Notifications' }).click();
  await expect.element(dialog).toBeVisible();
  history.back();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(location.pathname).toBe(address);

  // After closing in another way, one Back leaves the chat.
  await open('Devices');
  await userEvent.keyboard('{Escape}');
  await expect.element(dialog).not.toBeInTheDocument();
  history.back();
  await expect.poll(() => location.pathname).toBe('/before');
});
