import type { Page } from '@playwright/test';
import { picture, screens, themes } from './folder.ts';
import { test } from './stageTest.ts';
import { chosenStates } from './states.ts';

for (const theme of themes) {
  test.describe(theme, () => {
    test.use({ colorScheme: theme });
    for (const { name, reach, fleeting } of chosenStates()) {
      test(name, async ({ page, browser, desk }) => {
        test.slow(fleeting === true);
        let current = page;
        if (!fleeting) await reach({ page, browser, desk });
        for (const screen of screens) {
          if (fleeting) {
            current = await (await browser.newContext()).newPage();
            await current.setViewportSize(screen);
            await reach({ page: current, browser, desk });
          } else await current.setViewportSize(screen);
          await settled(current);
          await current.screenshot({
            path: picture(name, theme, screen.width),
            animations: 'disabled',
            fullPage: true,
          });
        }
      });
    }
  });
}

/** Fonts are there, and what a new size moved has been drawn. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  });
}
