import type { Page } from '@playwright/test';
import { test } from '../gallery/stageTest.ts';
import { allStates } from '../gallery/states.ts';
import { COLOUR_RULES, violations } from './axe.ts';
import { expect } from './watched.ts';

// As the gallery's are: neither changes what axe reads, and both take time.
test.use({ serviceWorkers: 'block', contextOptions: { reducedMotion: 'reduce' } });

const themes = ['light', 'dark'] as const;
const widths = [360, 1280];
/** The console also has two panes, between a phone's and a desk's. */
const consoleWidths = [360, 768, 1280];

async function expectNoViolations(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await withoutTransitions(page);
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await settled(page);
  expect(await violations(page, colorScheme === 'dark' ? COLOUR_RULES : undefined)).toEqual([]);
}

/** The change of theme is ours: a colour that is on its way from one to the other is nobody's. */
async function withoutTransitions(page: Page): Promise<void> {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('*, *::before, *::after { transition: none !important }');
    document.adoptedStyleSheets = [sheet];
  });
}

/** A list that measures its rows lays them out a frame after the window changed: until then they lie over each other. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let i = 0; i < 3; i += 1) await frame();
    await Promise.allSettled(
      document.getAnimations().map(({ finished }) => Promise.race([finished, frame()])),
    );
  });
}

/** As narrow as a page at 400 % zoom is (WCAG 1.4.10). */
async function expectNoSidewaysScroll(page: Page): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 });
  // Pictures and lists may take a frame to find their new place.
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
}

// The same states as the gallery's: one that gets its picture is looked at by axe too.
for (const { name, reach, again } of allStates) {
  test(`[OPEN-42] ${name} passes axe, in both themes, on a phone and on a desk`, async ({
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
  });
}
