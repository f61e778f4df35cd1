import { expect, test } from 'vitest';
import { render } from 'vitest-browser-react';
import { AwayNote } from './AwayNote.tsx';

test('the away message shows when the host returns, and disappears at that time', async () => {
  const message = 'Gone fishing.';
  const screen = await render(<AwayNote away={{ message, until: Date.now() + 60_000 }} />);
  await expect.element(screen.getByText(/^Back (tomorrow )?at \d\d:\d\d$/)).toBeVisible();
  await expect.element(screen.getByText(/^Gone fishing\./)).toBeVisible();
  await screen.rerender(<AwayNote away={{ message, until: null }} />);
  await expect.element(screen.getByRole('status')).toHaveTextContent(message);
  await screen.rerender(<AwayNote away={{ message, until: 1 }} />);
  await expect.element(screen.getByRole('status')).not.toBeInTheDocument();
});
