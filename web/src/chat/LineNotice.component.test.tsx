import { texts } from '@settee/protocol/texts/texts';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { render } from 'vitest-browser-react';
import { LineNotice } from './LineNotice.tsx';
import { type Line, useLine } from './useLine.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A connection that the test opens and closes. */
function fakeLine() {
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
  const become = (next: typeof status) => {
    status = next;
    for (const listener of listeners) listener();
  };
  return { live, become };
}

function Shown({ live }: { live: Line }) {
  const line = useLine(live);
  return (
    <>
      <output>{line}</output>
      <LineNotice line={line} />
    </>
  );
}

test("[NET-26] a lost connection counts as 'connecting' after 2 s, shows a banner after 5, then 'Back online' for 2", async () => {
  const { live, become } = fakeLine();
  const screen = await render(<Shown live={live} />);
  const state = () => screen.container.querySelector('output')?.textContent;
  const banner = screen.getByText(texts.offlineBanner);
  const back = screen.getByText(texts.backOnline);
  become('connecting');
  await vi.advanceTimersByTimeAsync(1_999);
  expect(state()).toBe('fine');
  await vi.advanceTimersByTimeAsync(1);
  await expect.poll(state).toBe('connecting');
  await vi.advanceTimersByTimeAsync(2_999);
  await expect.element(banner).not.toBeInTheDocument();
  await vi.advanceTimersByTimeAsync(1);
  await expect.element(banner).toBeVisible();
  become('open');
  await expect.element(back).toBeVisible();
  await expect.element(banner).not.toBeInTheDocument();
  await vi.advanceTimersByTimeAsync(1_999);
  await expect.element(back).toBeVisible();
  await vi.advanceTimersByTimeAsync(1);
  await expect.element(back).not.toBeInTheDocument();
  expect(state()).toBe('fine');
});

test('[NET-26] a short interruption is not shown', async () => {
  const { live, become } = fakeLine();
  const screen = await render(<Shown live={live} />);
  become('connecting');
  await vi.advanceTimersByTimeAsync(1_900);
  become('open');
  await vi.advanceTimersByTimeAsync(10_000);
  expect(screen.container.textContent).toBe('fine');
});
