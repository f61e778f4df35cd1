import { expect, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { DeviceList } from './DeviceList.tsx';

const device = (id: string, minute: number) => ({
  id,
  browser: 'Chrome on Android',
  joinedAt: new Date(new Date().getFullYear(), 10, 16, 9, minute).getTime(),
  first: false,
  current: false,
});

test('removing a device asks first; devices with one name differ by join time', async () => {
  const removed: string[] = [];
  const screen = await render(
    <DeviceList
      version={0}
      read={async () => [device('a', 5), device('b', 16)]}
      remove={async (id) => removed.push(id) > 0}
      mayRemove={() => true}
    />,
  );
  const ask = screen.getByRole('button', { name: 'Remove Chrome on Android, joined 16 Nov, 09:16' });
  await ask.click();
  await expect.element(screen.getByText('Remove this device?')).toBeVisible();
  // A second press at the same place, or Enter, removes nothing.
  await expect.element(screen.getByRole('button', { name: 'Keep' })).toHaveFocus();
  await userEvent.keyboard('{Enter}');
  await expect.element(ask).toHaveFocus();
  expect(removed).toEqual([]);

  await ask.click();
  await screen.getByRole('button', { name: 'Remove', exact: true }).click();
  await expect.element(ask).not.toBeInTheDocument();
  expect(removed).toEqual(['b']);
});
