import { expect, test, vi } from 'vitest';
import { ana } from '../../test/aDesk.ts';
import { Foreign } from '../../test/fakeGateway.ts';
import { renderConsole } from '../../test/renderConsole.tsx';

test('[H-10] [S-14] the loading page ends after at most 3 s', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const never = () => new Promise<never>(() => {});
  const { screen } = await renderConsole({ atOnce: true, answers: { refreshStaff: never } });
  // Without waiting: `expect.element` would move the fake time.
  const shows = (text: string) => screen.getByText(text).elements().length > 0;
  const note = 'Please wait while we verify your access';
  expect(shows('Loading handler console...') && shows(note)).toBe(true);
  await vi.advanceTimersByTimeAsync(2_999);
  expect(shows(note)).toBe(true);
  await vi.advanceTimersByTimeAsync(1);
  vi.useRealTimers();
  await expect.element(screen.getByRole('heading', { name: 'Handler Console' })).toBeVisible();
  expect(shows(note)).toBe(false);
});

test('[H-11] [E-06] Authentication Error shows when the server fails, and Retry works', async () => {
  const { screen, gateway } = await renderConsole({
    atOnce: true,
    answers: { refreshStaff: () => new Foreign(500, 'out of order') },
  });
  const title = screen.getByRole('heading', { name: 'Authentication Error' });
  await expect.element(title).toBeVisible();
  await expect.element(screen.getByText('Failed to initialize authentication')).toBeVisible();
  await screen.getByRole('button', { name: 'Retry' }).click();
  await expect.poll(() => gateway.asked('refreshStaff').length).toBe(2);
  await expect.element(title).toBeVisible();
  gateway.answer('refreshStaff', { staff: ana, idToken: 'id-token', expiresAt: Date.now() + 3_600_000 });
  await screen.getByRole('button', { name: 'Retry' }).click();
  await expect.element(screen.getByText(`Handler: ${ana.alias}`)).toBeVisible();
});
