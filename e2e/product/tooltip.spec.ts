import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from './watched.ts';

const folder = mkdtempSync(join(tmpdir(), 'tooltips-'));
const FAR_AWAY = { x: 180, y: 20 };

// In one worker: each worker would build the page again.
test.describe.configure({ mode: 'default' });

test.beforeAll(() => {
  execFileSync(
    'vite',
    [
      'build',
      'web/test/tooltips',
      '--base',
      '/tooltips/',
      '--outDir',
      folder,
      '--emptyOutDir',
      '--logLevel',
      'warn',
    ],
    {
      cwd: `${import.meta.dirname}/../..`,
      stdio: 'inherit',
    },
  );
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function open(page: Page, about: Record<string, string>): Promise<{ thing: Locator; tip: Locator }> {
  await page.route('**/tooltips/**', (route) => {
    const path = new URL(route.request().url()).pathname.replace('/tooltips/', '');
    return route.fulfill({ path: join(folder, path || 'index.html') });
  });
  const watch = page.waitForResponse(/tooltipWatch/);
  await page.goto(`/tooltips/?${new URLSearchParams(about)}`);
  await watch;
  return {
    thing: page.getByRole('button', { name: 'Thing' }),
    tip: page.getByRole('tooltip', { includeHidden: true }),
  };
}

async function boxOf(locator: Locator): Promise<{ x: number; y: number; right: number; bottom: number }> {
  const box = await locator.boundingBox();
  if (!box) throw new Error('it has no box');
  return { x: box.x, y: box.y, right: box.x + box.width, bottom: box.y + box.height };
}

for (const position of ['top', 'bottom', 'left', 'right']) {
  test(`[B-09] a tooltip appears at the ${position}, outside of its target, and describes it`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 1280, height: 800 });
    const { thing, tip } = await open(page, { position, place: 'in the middle' });
    await expect(tip).toBeHidden();
    const before = await boxOf(thing);
    await thing.hover();
    await expect(tip).toBeVisible();
    const [around, words] = [await boxOf(thing), await boxOf(tip)];
    expect(around, 'nothing moved').toEqual(before);
    expect({
      top: words.bottom <= around.y,
      bottom: words.y >= around.bottom,
      left: words.right <= around.x,
      right: words.x >= around.right,
    }).toEqual({ top: false, bottom: false, left: false, right: false, [position]: true });
    await expect(thing).toHaveAccessibleDescription('Words that say what this is about');
  });

  test(`[B-09] the edge of a phone does not cut off a tooltip at the ${position}`, async ({ page }) => {
    await page.setViewportSize({ width: 360, height: 640 });
    for (const place of ['at the start', 'at the end', 'above', 'below']) {
      const { thing, tip } = await open(page, { position, place });
      await thing.hover();
      await expect(tip).toBeVisible();
      const [around, words] = [await boxOf(thing), await boxOf(tip)];
      expect(words.x, place).toBeGreaterThanOrEqual(0);
      expect(words.y, place).toBeGreaterThanOrEqual(0);
      expect(words.right, place).toBeLessThanOrEqual(360);
      expect(words.bottom, place).toBeLessThanOrEqual(640);
      const beside = words.right <= around.x || words.x >= around.right;
      const aboveOrBelow = words.bottom <= around.y || words.y >= around.bottom;
      expect(beside || aboveOrBelow, `${place}: the thing can still be pressed`).toBe(true);
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    }
  });
}

/** The delay from hover to the first visible text. */
async function waitUntilSeen(page: Page, thing: Locator): Promise<number> {
  const seen = page.evaluate(
    () =>
      new Promise<number>((done) => {
        document.addEventListener('pointerover', ({ target }) => {
          const tip =
            target instanceof Element && target.closest('[data-tooltip]')?.querySelector('[role=tooltip]');
          if (!tip) return;
          // On the animation clock, from the first frame with the pointer.
          const now = () => Number(document.timeline.currentTime);
          requestAnimationFrame(() => {
            const came = now();
            const look = () =>
              getComputedStyle(tip).visibility === 'visible'
                ? done(Math.round(now() - came))
                : requestAnimationFrame(look);
            look();
          });
        });
      }),
  );
  await thing.hover();
  return seen;
}

test('[B-09] a tooltip waits 200 ms, or the given delay', async ({ page }) => {
  const first = await open(page, { place: 'in the middle' });
  const byItself = await waitUntilSeen(page, first.thing);
  expect(byItself).toBeGreaterThanOrEqual(200);
  const slow = await open(page, { place: 'in the middle', delay: '900' });
  expect(await waitUntilSeen(page, slow.thing)).toBeGreaterThanOrEqual(900);
  const quick = await open(page, { place: 'in the middle', delay: '0' });
  expect(await waitUntilSeen(page, quick.thing)).toBeLessThan(byItself);
});

test('[B-09] a tooltip waits as long with reduced motion', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const { thing } = await open(page, { place: 'in the middle' });
  expect(await waitUntilSeen(page, thing)).toBeGreaterThanOrEqual(200);
});

test('[B-09] the pointer may move onto the tooltip, Esc hides it, and it appears again', async ({ page }) => {
  const { thing, tip } = await open(page, { position: 'bottom', place: 'in the middle' });
  await thing.hover();
  await expect(tip).toBeVisible();
  const [around, words] = [await boxOf(thing), await boxOf(tip)];
  const x = (around.x + around.right) / 2;
  for (let y = around.bottom - 2; y < words.bottom - 2; y += 2) await page.mouse.move(x, y);
  await expect(tip).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(tip).toBeHidden();
  await page.mouse.move(FAR_AWAY.x, FAR_AWAY.y);
  await thing.hover();
  await expect(tip).toBeVisible();
  await page.mouse.move(FAR_AWAY.x, FAR_AWAY.y);
  await expect(tip).toBeHidden();
});

test('[B-09] keyboard focus shows the tooltip, Esc and leaving hide it', async ({ page }) => {
  const { thing, tip } = await open(page, { place: 'in the middle' });
  await page.getByRole('button', { name: 'Elsewhere' }).focus();
  await page.keyboard.press('Tab');
  await expect(thing).toBeFocused();
  await expect(tip).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(tip).toBeHidden();
  await expect(thing).toBeFocused();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.press('Tab');
  await expect(tip).toBeVisible();
  await page.keyboard.press('Shift+Tab');
  await expect(tip).toBeHidden();
});

test.describe('on a touch screen', () => {
  test.use({ hasTouch: true, isMobile: true, viewport: { width: 360, height: 640 } });

  test('[B-09] a tap shows the tooltip, a tap elsewhere hides it', async ({ page }) => {
    const { thing, tip } = await open(page, { place: 'at the end' });
    await thing.tap();
    await expect(tip).toBeVisible();
    expect((await boxOf(tip)).right).toBeLessThanOrEqual(360);
    await page.getByRole('heading').tap();
    await expect(tip).toBeHidden();
  });
});
