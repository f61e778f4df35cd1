import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { dashboardTexts as texts } from '@settee/protocol/texts/dashboardTexts';
import { expect, test } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { render } from 'vitest-browser-react';
import { aDashboard } from '../../../test/aDashboard.ts';
import { Foreign } from '../../../test/fakeGateway.ts';
import { renderAdmin } from '../../../test/renderAdmin.tsx';
import { Chart } from './Chart.tsx';
import type { Series } from './series.ts';

/** Seven days with traffic. */
const slots = aDashboard().slots.map((slot, day) => ({ ...slot, visitors: day + 1, replies: 2 }));

test('the frame shows before the figures, which keep their places, and a failure can be retried', async () => {
  const figures = {
    dashboard: aDashboard({ slots, messages: { visitors: 23, replies: 14, before: 30 } }),
  };
  const loaded = Promise.withResolvers<typeof figures>();
  const { screen } = await renderAdmin({ atOnce: true, answers: { readDashboard: () => loaded.promise } });
  const chart = () => document.querySelector('main [data-chart]');
  const height = () =>
    screen.getByRole('region', { name: texts.figures }).element().getBoundingClientRect().height;
  await expect.element(screen.getByRole('heading', { level: 1, name: adminTexts.dashboard })).toBeVisible();
  await expect.element(screen.getByRole('button', { name: texts.messages })).toBeVisible();
  await expect
    .poll(() => document.querySelector('[data-late="true"] [data-card="chart"]')?.checkVisibility())
    .toBe(true);
  const before = height();
  loaded.resolve(figures);
  await expect.poll(() => chart()?.checkVisibility()).toBe(true);
  await expect.element(screen.getByRole('button', { name: /^Messages 37/ })).toBeVisible();
  expect(height()).toBe(before);

  // The chart adapts to the page width.
  const labels = () => chart()?.querySelectorAll('text').length ?? 0;
  const wide = labels();
  await page.viewport(360, 800);
  await expect.poll(labels).toBeLessThan(wide);
  await expect.poll(() => chart()?.getBoundingClientRect().width).toBeLessThan(330);
  expect(document.documentElement.scrollWidth).toBe(360);
  await screen.unmount();

  const second = await renderAdmin({ answers: { readDashboard: () => new Foreign(500) } });
  await expect.element(second.screen.getByText('Couldn’t load the dashboard.')).toBeVisible();
  second.gateway.answer('readDashboard', figures);
  await second.screen.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => chart()?.checkVisibility()).toBe(true);
});

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
      <Chart series={series} />
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
