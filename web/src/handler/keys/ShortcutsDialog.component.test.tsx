import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { ShortcutsDialog } from './ShortcutsDialog.tsx';

test('the list of keys fits a window of 1280 × 800 px', async () => {
  await page.viewport(1280, 800);
  const screen = await render(<ShortcutsDialog onClose={() => {}} />);
  const dialog = screen.getByRole('dialog').element();
  expect(dialog.scrollHeight).toBeLessThanOrEqual(dialog.clientHeight);
  await expect.element(screen.getByRole('button', { name: 'Close' })).toBeInViewport({ ratio: 1 });
});
