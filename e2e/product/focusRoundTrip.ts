import type { Page } from '@playwright/test';
import { settled } from './axe.ts';
import { expect } from './watched.ts';

const OPENERS = 'button[aria-haspopup]:visible';
const OVERLAY = '[role="menu"], [role="dialog"], dialog[open], [role="listbox"]';

/** Checks that Esc closes what each button of the page opens and returns the focus, at two widths. */
export async function expectFocusRoundTrips(page: Page): Promise<void> {
  let opened = 0;
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    // The buttons of the new layout.
    await settled(page);
    opened += await expectFocusBack(page);
  }
  expect(opened, 'buttons that open something').toBeGreaterThan(0);
}

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
