import { texts } from '@settee/protocol/texts/texts';
import { expect, test, vi } from 'vitest';
import { render, renderHook } from 'vitest-browser-react';
import { LineNotice } from './LineNotice.tsx';
import { type Line, useLine } from './useLine.ts';

/** A connection that the test opens and closes, with the state that the page shows. */
async function setUp() {
  vi.useFakeTimers();
  let status: ReturnType<Line['status']> = 'open';
  const listeners = new Set<() => void>();
  const live: Line = {
    status: () => status,
    dead: () => false,
    onStatus(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  const { result, act } = await renderHook(() => useLine(live));
  return {
    become: (next: typeof status) =>
      act(() => {
        status = next;
        for (const listener of listeners) listener();
      }),
    /** The state after this time. */
    async after(ms: number) {
      await act(() => vi.advanceTimersByTimeAsync(ms));
      return result.current;
    },
  };
}

test("[NET-08] a lost connection is 'connecting' after 2 s, 'offline' after 5, then 'back' for 2", async () => {
  const { become, after } = await setUp();
  await become('connecting');
  expect(await after(1_999)).toBe('fine');
  expect(await after(1)).toBe('connecting');
  expect(await after(2_999)).toBe('connecting');
  expect(await after(1)).toBe('offline');
  await become('open');
  expect(await after(1_999)).toBe('back');
  expect(await after(1)).toBe('fine');
});

test('[NET-08] a short interruption is not shown', async () => {
  const { become, after } = await setUp();
  await become('connecting');
  expect(await after(1_999)).toBe('fine');
  await become('open');
  for (const _ of Array.from({ length: 10 })) expect(await after(1_000)).toBe('fine');
});

test('[NET-08] the banner shows while offline, and Back online afterwards', async () => {
  const screen = await render(<LineNotice line="offline" />);
  await expect.element(screen.getByText(texts.offlineBanner)).toBeVisible();
  await screen.rerender(<LineNotice line="back" />);
  await expect.element(screen.getByText(texts.backOnline)).toBeVisible();
  await expect.element(screen.getByText(texts.offlineBanner)).not.toBeInTheDocument();
  for (const line of ['fine', 'connecting'] as const) {
    await screen.rerender(<LineNotice line={line} />);
    expect(screen.container.textContent).toBe('');
  }
});
