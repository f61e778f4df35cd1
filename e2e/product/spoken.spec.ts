import type { Locator } from '@playwright/test';
import { texts } from '@settee/protocol/texts/texts';
import { openChat } from '../gallery/stage.ts';
import { test } from '../gallery/stageTest.ts';
import { allStates } from '../gallery/states.ts';
import { conversation } from '../gallery/words.ts';
import { expect } from './watched.ts';

/** States of the visitor's page and the console that show messages. */
const withMessages = ['chat', 'new-divider', 'chat-failed', 'images', 'closed', 'console-conversation'];

for (const name of withMessages) {
  test(`[A11Y-07] in the accessibility tree of ${name} every message has its sender and time`, async ({
    page,
    browser,
    desk,
  }) => {
    await allStates.find((state) => state.name === name)?.reach({ page, browser, desk });
    const log = page.getByRole('log');
    let articles: readonly string[] = [];
    // A message may arrive between the two reads.
    await expect(async () => {
      const count = await log.locator('[data-key]').count();
      expect(count).toBeGreaterThan(0);
      articles = (await log.ariaSnapshot()).match(/- article .*/g) ?? [];
      expect(articles).toHaveLength(count);
    }).toPass({ timeout: 15_000 });
    for (const article of articles) expect(article).toMatch(/^- article "[^"]+, \d\d:\d\d"/);
  });
}

test.describe('forced colours', () => {
  test.use({ forcedColors: 'active' });

  test('[A11Y-08] in forced-colours mode selected, focused and own elements differ from others', async ({
    page,
    browser,
    desk,
  }) => {
    await openChat({ page, browser, desk }, conversation());
    await expect(page.getByText(texts.seen)).toBeVisible();
    const border = (place: Locator) => place.evaluate((bubble) => getComputedStyle(bubble).borderColor);
    const bubble = (side: string) => page.getByRole('log').locator(`[data-side=${side}] p`).first();
    expect(await border(bubble('in'))).not.toBe(await border(bubble('out')));

    const composer = page.getByPlaceholder(texts.visitorPlaceholder);
    const idle = await composer.screenshot({ caret: 'hide' });
    await composer.focus();
    await expect.poll(async () => (await composer.screenshot({ caret: 'hide' })).equals(idle)).toBe(false);

    await page.getByRole('button', { name: texts.more }).click();
    const dark = page.getByRole('menuitemradio', { name: texts.themeDark });
    const light = page.getByRole('menuitemradio', { name: texts.themeLight });
    await light.click();
    const other = await dark.screenshot();
    await dark.click();
    await light.focus();
    await expect.poll(async () => (await dark.screenshot()).equals(other)).toBe(false);
  });
});
