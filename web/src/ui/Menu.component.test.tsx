import { expect, test, vi } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Menu } from './Menu.tsx';
import { MenuItem } from './MenuItem.tsx';
import { useMenuButton } from './useMenuButton.ts';

function belowButton(menu: HTMLElement): void {
  menu.style.inset = '100px auto auto 0';
}

function Example({ onChoose }: { onChoose: (name: string) => void }) {
  const { open, close, button } = useMenuButton();
  return (
    <>
      <button type="button" {...button}>
        More
      </button>
      {open && (
        <Menu label="More" className="" onClose={close} place={belowButton}>
          {(choose) =>
            ['Close', 'Details', 'Sign Out'].map((name) => (
              <MenuItem key={name} onClick={() => choose(() => onChoose(name))}>
                {name}
              </MenuItem>
            ))
          }
        </Menu>
      )}
    </>
  );
}

test('a menu opens on its first item; arrow keys, Home and End move; Esc returns the focus', async () => {
  const screen = await render(<Example onChoose={() => {}} />);
  const item = (name: string) => screen.getByRole('menuitem', { name });
  await screen.getByRole('button', { name: 'More' }).click();
  await expect.element(item('Close')).toHaveFocus();
  for (const [key, name] of [
    ['{ArrowDown}', 'Details'],
    ['{End}', 'Sign Out'],
    ['{ArrowDown}', 'Close'],
    ['{ArrowUp}', 'Sign Out'],
    ['{Home}', 'Close'],
  ] as const) {
    await userEvent.keyboard(key);
    await expect.element(item(name)).toHaveFocus();
  }
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByRole('menu')).not.toBeInTheDocument();
  await expect.element(screen.getByRole('button', { name: 'More' })).toHaveFocus();
});

test('a chosen item closes the menu before it runs; a press on the button closes it too', async () => {
  const onChoose = vi.fn();
  const screen = await render(<Example onChoose={onChoose} />);
  await screen.getByRole('button', { name: 'More' }).click();
  await screen.getByRole('menuitem', { name: 'Details' }).click();
  expect(onChoose).toHaveBeenCalledExactlyOnceWith('Details');
  await expect.element(screen.getByRole('menu')).not.toBeInTheDocument();
  await screen.getByRole('button', { name: 'More' }).click();
  await expect.element(screen.getByRole('menu')).toBeVisible();
  await screen.getByRole('button', { name: 'More' }).click();
  await expect.element(screen.getByRole('menu')).not.toBeInTheDocument();
});
