import type { Page } from '@playwright/test';
import { test } from '../product/watched.ts';
import { languageScreens, picture, screens, themes } from './folder.ts';
import { otherLanguages, showIn } from './showIn.ts';
import { chosenStates } from './states.ts';

for (const theme of themes) {
  test.describe(theme, () => {
    test.use({ colorScheme: theme });
    for (const { name, reach, again } of chosenStates()) {
      test(name, async ({ page, browser, desk }) => {
        await reach({ page, browser, desk });
        for (const screen of screens) {
          await page.setViewportSize(screen);
          await again?.(page);
          await settled(page);
          await page.screenshot({
            path: picture(name, theme, screen.width),
            animations: 'disabled',
            fullPage: true,
          });
        }
        if (theme === 'dark') return;
        for (const language of otherLanguages) {
          for (const screen of languageScreens) {
            await page.setViewportSize(screen);
            await again?.(page);
            const showEnglish = await showIn(page, language);
            await settled(page);
            await page.screenshot({
              path: picture(name, language, screen.width),
              animations: 'disabled',
              fullPage: true,
            });
            await showEnglish();
          }
        }
      });
    }
  });
}

/** Waits until fonts are loaded and the layout of a new size is painted. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await document.fonts.ready;
    for (let frame = 0; frame < 2; frame++) await new Promise(requestAnimationFrame);
  });
}
