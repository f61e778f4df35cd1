import type { Page } from '@playwright/test';
import { test } from '../gallery/stageTest.ts';
import { allStates } from '../gallery/states.ts';
import { expectNoViolations } from './axe.ts';
import { expect } from './watched.ts';

// Same settings as the gallery. Neither changes what axe reads, and both cost time.
test.use({ serviceWorkers: 'block', contextOptions: { reducedMotion: 'reduce' } });

const themes = ['light', 'dark'] as const;
const widths = [360, 1280];
/** The console also has a two-pane layout, between phone and desktop. */
const consoleWidths = [360, 768, 1280];

/** A page at 400 % zoom is this narrow (WCAG 1.4.10). */
async function expectNoSidewaysScroll(page: Page): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 });
  // Images and lists may need a frame to settle.
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
}

/** iOS zooms into a smaller field on focus and does not zoom back. */
const SMALLEST_FIELD_PX = 16;

/** Checks every text field on a touch screen as wide as a phone. */
async function expectReadableFields(page: Page): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  await browser.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  await page.setViewportSize({ width: 360, height: 800 });
  const small = await page.evaluate((smallest) => {
    if (!matchMedia('(pointer: coarse)').matches) throw new Error('this is no touch screen');
    const noText = ['checkbox', 'radio', 'file', 'range', 'color', 'hidden', 'button', 'submit'];
    return [...document.querySelectorAll<HTMLInputElement>('input, textarea, select, [contenteditable]')]
      .filter((field) => !noText.includes(field.type))
      .filter((field) => Number.parseFloat(getComputedStyle(field).fontSize) < smallest)
      .map((field) => `${field.outerHTML.slice(0, 120)} ${getComputedStyle(field).fontSize}`);
  }, SMALLEST_FIELD_PX);
  expect(small).toEqual([]);
}

// The same states as in the gallery, so a new gallery state is also checked with axe.
for (const { name, reach, again } of allStates) {
  test(`[A11Y-10] [NET-23] ${name} passes axe, in both themes, on a phone and on a desktop; its fields are readable on touch`, async ({
    page,
    browser,
    desk,
  }) => {
    await reach({ page, browser, desk });
    await expectNoSidewaysScroll(page);
    for (const width of name.startsWith('console') ? consoleWidths : widths) {
      await page.setViewportSize({ width, height: 800 });
      await again?.(page);
      for (const theme of themes) await expectNoViolations(page, theme);
    }
    await expectReadableFields(page);
  });
}
