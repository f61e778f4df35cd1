import { expect, onTestFinished, test } from 'vitest';
import { userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { Chart } from './Chart.tsx';
import type { Series } from './series.ts';

const days = [
  'Sunday 8',
  'Monday 9',
  'Tuesday 10',
  'Wednesday 11',
  'Thursday 12',
  'Friday 13',
  'Saturday 14',
];
const series: Series = {
  title: 'Messages per day',
  head: 'Day',
  columns: ['From visitors', 'Replies'],
  unit: 'count',
  rows: days.map((day, n) => ({
    key: n,
    label: day,
    long: day,
    full: `${day} November`,
    current: n === 6,
    values: [70 + n, n === 3 ? null : 60 + n],
  })),
};

async function shown() {
  const screen = await render(
    <div style={{ inlineSize: 400, blockSize: 300, display: 'flex' }}>
      <Chart series={series} onFailed={() => {}} />
    </div>,
  );
  return { screen, slider: screen.getByRole('slider', { name: 'Messages per day, chart' }) };
}

test('arrow keys move from day to day and announce both values; Esc closes', async () => {
  const { screen, slider } = await shown();
  await userEvent.keyboard('{Tab}');
  await expect.element(slider).toHaveFocus();
  await expect
    .element(slider)
    .toHaveAttribute('aria-valuetext', 'Saturday 14 November: From visitors 76, Replies 66');
  await expect.element(screen.getByText('Saturday 14 November')).toBeVisible();
  await userEvent.keyboard('{ArrowLeft}');
  await expect.element(screen.getByText('Friday 13 November')).toBeVisible();
  await userEvent.keyboard('{Home}{ArrowLeft}');
  await expect.element(screen.getByText('Sunday 8 November')).toBeVisible();
  await userEvent.keyboard('{ArrowRight}{ArrowRight}{ArrowRight}');
  await expect
    .element(slider)
    .toHaveAttribute('aria-valuetext', 'Wednesday 11 November: From visitors 73, Replies –');
  await userEvent.keyboard('{Escape}');
  await expect.element(screen.getByText('Wednesday 11 November')).not.toBeInTheDocument();
  await expect.element(slider).toHaveFocus();
});

test('pointing at a day shows its values beside it, never over its own bars', async () => {
  const { screen, slider } = await shown();
  const { width, height } = slider.element().getBoundingClientRect();
  for (const [n, day] of days.entries()) {
    const x = ((n + 0.5) / days.length) * width;
    await userEvent.hover(slider, { position: { x, y: height / 2 } });
    const title = screen.getByText(`${day} November`);
    await expect.element(title).toBeVisible();
    const box = () => title.element().parentElement?.getBoundingClientRect() ?? new DOMRect();
    const { left, top } = slider.element().getBoundingClientRect();
    const middle = left + x;
    expect(box().left > middle || box().right < middle).toBe(true);
    expect(box().left).toBeGreaterThanOrEqual(left - 40);
    expect(box().right).toBeLessThanOrEqual(left + width + 8);
    expect(box().top).toBeGreaterThanOrEqual(top - 1);
  }
  await userEvent.unhover(slider);
  await expect.element(screen.getByText('Saturday 14 November')).not.toBeInTheDocument();
});

/** The number of pixels of the drawn chart that have exactly this colour. */
function pixelsOf(colour: string): number {
  const canvas = document.querySelector('canvas');
  const data = canvas?.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
  let count = 0;
  for (let at = 0; at < data.length; at += 4)
    if (`rgb(${data[at]}, ${data[at + 1]}, ${data[at + 2]})` === colour && data[at + 3] === 255) count++;
  return count;
}

test('the bars have the colour of the theme, and follow a change of it', async () => {
  const root = document.documentElement;
  onTestFinished(() => root.removeAttribute('data-theme'));
  root.dataset.theme = 'light';
  await shown();
  await expect.poll(() => pixelsOf('rgb(122, 42, 90)')).toBeGreaterThan(1_000);
  root.dataset.theme = 'dark';
  await expect.poll(() => pixelsOf('rgb(158, 72, 124)')).toBeGreaterThan(1_000);
  expect(pixelsOf('rgb(122, 42, 90)')).toBe(0);
});

test('a chart without any slot is drawn, and says so', async () => {
  const screen = await render(
    <div style={{ inlineSize: 400, blockSize: 300, display: 'flex' }}>
      <Chart series={{ ...series, rows: [] }} onFailed={() => {}} />
    </div>,
  );
  await expect.poll(() => document.querySelector('canvas')).not.toBeNull();
  await expect.element(screen.getByRole('slider')).toHaveAttribute('aria-valuetext', '–');
});
