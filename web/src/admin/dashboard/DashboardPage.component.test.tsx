import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { dashboardTexts as texts } from '@settee/protocol/texts/dashboardTexts';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { aDashboard } from '../../../test/anAdmin.ts';
import { emulateMedia } from '../../../test/emulate.ts';
import { Foreign } from '../../../test/fakeGateway.ts';
import { renderAdmin } from '../../../test/renderAdmin.tsx';

/** Seven days with traffic. */
const slots = aDashboard().slots.map((slot, day) => ({ ...slot, visitors: day + 1, replies: 2 }));

test('the figures of seven days do not show as those of thirty', async () => {
  const { screen, gateway } = await renderAdmin({
    answers: {
      readDashboard: ({ query: { period } }) => ({
        dashboard: aDashboard({
          period,
          slots,
          messages: { visitors: period === '7days' ? 7 : 30, replies: 0, before: 0 },
        }),
      }),
    },
  });
  const figure = (count: number) => screen.getByRole('button', { name: new RegExp(`^Messages ${count}`) });
  const isDimmed = () => document.querySelector('main [aria-busy="true"] [aria-pressed]') !== null;
  await expect.element(figure(7)).toBeVisible();
  expect(isDimmed()).toBe(false);
  const release = gateway.hold('readDashboard');
  await screen.getByRole('radio', { name: texts.thirtyDays }).click();
  await expect.poll(isDimmed).toBe(true);
  await expect.element(figure(7)).toBeVisible();
  release();
  await expect.element(figure(30)).toBeVisible();
  expect(isDimmed()).toBe(false);
});

test('the frame shows before the figures, which keep their places, and a failure can be retried', async () => {
  const figures = {
    dashboard: aDashboard({ slots, messages: { visitors: 23, replies: 14, before: 30 } }),
  };
  const loaded = Promise.withResolvers<typeof figures>();
  const { screen } = await renderAdmin({ atOnce: true, answers: { readDashboard: () => loaded.promise } });
  const chart = () => document.querySelector<HTMLCanvasElement>('main canvas');
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

  // The chart adapts to the theme and to the page width.
  const light = chart()?.toDataURL();
  await emulateMedia({ 'prefers-color-scheme': 'dark' });
  await expect.poll(() => chart()?.toDataURL()).not.toBe(light);
  await page.viewport(360, 800);
  await expect.poll(() => chart()?.getBoundingClientRect().width).toBeLessThan(330);
  expect(document.documentElement.scrollWidth).toBe(360);
  await screen.unmount();

  const second = await renderAdmin({ answers: { readDashboard: () => new Foreign(500) } });
  await expect.element(second.screen.getByText("Couldn't load the dashboard.")).toBeVisible();
  second.gateway.answer('readDashboard', figures);
  await second.screen.getByRole('button', { name: 'Try again' }).click();
  await expect.poll(() => chart()?.checkVisibility()).toBe(true);
});
