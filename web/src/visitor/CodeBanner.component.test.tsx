import { afterEach, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { CodeBanner } from './CodeBanner.tsx';

afterEach(() => void vi.restoreAllMocks());

test('the banner has Copy and Dismiss as text, and announces each new code', async () => {
  const onDismiss = vi.fn();
  const screen = await render(<CodeBanner code="4827" onDismiss={onDismiss} />);
  const live = () => screen.container.querySelector('[aria-live="polite"]')?.textContent;
  await expect.poll(live).toBe('Continue in another browser or device, 4 8 2 7');
  await screen.rerender(<CodeBanner code="1903" onDismiss={onDismiss} />);
  await expect.poll(live).toBe('Continue in another browser or device, 1 9 0 3');
  await expect.element(screen.getByText('1903', { exact: true })).toBeVisible();
  for (const name of ['Copy', 'Dismiss']) {
    const button = screen.getByRole('button', { name, exact: true });
    await expect.element(button).toHaveTextContent(name);
    expect(button.element().getBoundingClientRect().height).toBeGreaterThanOrEqual(44);
  }
  await screen.getByRole('button', { name: 'Dismiss' }).click();
  await expect.poll(() => onDismiss.mock.calls.length).toBe(1);
});

test('Copy alerts that the code was copied', async () => {
  const write = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  // The banner says it for two seconds, which may be over before the test looks.
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const screen = await render(<CodeBanner code="4827" onDismiss={() => {}} />);
  await screen.getByRole('button', { name: 'Copy' }).click();
  await expect.element(screen.getByRole('alert')).toHaveTextContent('Code copied!');
  expect(write).toHaveBeenCalledWith('4827');
});

test('[E-11] a copy that the browser forbids is logged and not shown as copied', async () => {
  const forbidden = new Error('forbidden');
  vi.spyOn(navigator.clipboard, 'writeText').mockRejectedValue(forbidden);
  const logged = vi.spyOn(console, 'error').mockReturnValue();
  const screen = await render(<CodeBanner code="4827" onDismiss={() => {}} />);
  await screen.getByRole('button', { name: 'Copy' }).click();
  await expect.poll(() => logged.mock.calls).toEqual([['copy:', forbidden]]);
  await expect.element(screen.getByText('Code copied!')).not.toBeInTheDocument();
  await expect.element(screen.getByText(/^Continue on another device:/)).toBeVisible();
});
