import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { MoreButton } from './MoreButton.tsx';

test('[A11Y-12] the menu by keyboard: arrow keys, Esc, and the focus returns', async () => {
  const screen = await render(
    <header>
      <MoreButton onAsk={() => {}} onAnotherDevice={() => {}} canErase />
    </header>,
  );
  const button = screen.getByRole('button', { name: 'More' });
  const menu = screen.getByRole('menu');
  const changeName = screen.getByRole('menuitem', { name: 'Change name' });
  await userEvent.keyboard('{Tab}{Enter}');
  await expect.element(changeName).toHaveFocus();
  await userEvent.keyboard('{ArrowUp}');
  await expect.element(screen.getByRole('menuitemradio', { name: 'Dark' })).toHaveFocus();
  await userEvent.keyboard('{Home}');
  await expect.element(changeName).toHaveFocus();
  await userEvent.keyboard('{Escape}');
  await expect.element(menu).not.toBeInTheDocument();
  await expect.element(button).toHaveFocus();
  // A second press on the button closes it, like a press anywhere else.
  await button.click();
  await expect.element(menu).toBeVisible();
  await button.click();
  await expect.element(menu).not.toBeInTheDocument();
});

test('[A11Y-12] an item chosen by keyboard closes the menu before its dialog opens', async () => {
  const asked: string[] = [];
  const screen = await render(
    <header>
      <MoreButton onAsk={(what) => asked.push(what)} onAnotherDevice={undefined} canErase={false} />
    </header>,
  );
  await userEvent.keyboard('{Tab}{Enter}');
  await expect.element(screen.getByRole('menuitem', { name: 'Change name' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(screen.getByRole('menu')).not.toBeInTheDocument();
  await expect.poll(() => asked).toEqual(['name']);
});
