import type { Page } from '@playwright/test';
import { test } from '../gallery/stageTest.ts';
import { allStates } from '../gallery/states.ts';
import { expect } from './watched.ts';

test.use({ serviceWorkers: 'block', contextOptions: { reducedMotion: 'reduce' } });

/** Screens with buttons that open something over the page. */
const screens = [
  'chat',
  'console-queue-busy',
  'console-conversation',
  'admin-dashboard',
  'admin-conversations',
  'admin-invites',
  'handlers',
  'admin-profile',
];

const OPENERS = 'button[aria-haspopup]:visible';
const OVERLAY = '[role="menu"], [role="dialog"], dialog[open], [role="listbox"]';

async function expectFocusBack(page: Page): Promise<number> {
  const count = await page.locator(OPENERS).count();
  for (let index = 0; index < count; index++) {
    const opener = page.locator(OPENERS).nth(index);
    if (await opener.isDisabled()) continue;
    const name = await opener.evaluate((button) => button.ariaLabel ?? button.textContent);
    await opener.focus();
    await page.keyboard.press('Enter');
    const overlay = page.locator(OVERLAY).filter({ visible: true }).last();
    await expect(overlay, `"${name}" opens something`).toBeVisible();
    // The overlay takes the focus before it receives a key.
    await expect
      .poll(() => overlay.evaluate((element) => element.contains(document.activeElement)))
      .toBe(true);
    await page.keyboard.press('Escape');
    await expect(overlay, `Esc closes what "${name}" opened`).toBeHidden();
    await expect(opener, `"${name}" has the focus again`).toBeFocused();
  }
  return count;
}

for (const { name, reach } of allStates.filter((state) => screens.includes(state.name))) {
  test(`[A11Y-09] on ${name}, Esc closes what each button opened and returns the focus`, async ({
    page,
    browser,
    desk,
  }) => {
    let opened = 0;
    await reach({ page, browser, desk });
    for (const width of [390, 1280]) {
      await page.setViewportSize({ width, height: 800 });
      opened += await expectFocusBack(page);
    }
    expect(opened).toBeGreaterThan(0);
  });
}
