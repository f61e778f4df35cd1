import type { Page } from '@playwright/test';
import { drawing } from '../gallery/drawings.ts';
import { createHandler, createInvite } from './accounts.ts';
import { choose } from './images.ts';
import { bubbles, expectTexts, newPerson } from './people.ts';
import { alsoInFirefox, expect, test } from './watched.ts';

/** Presses Tab until the named element has a visible focus. */
async function tabTo(page: Page, role: 'button' | 'textbox', name: string, key = 'Tab'): Promise<void> {
  const wanted = page.getByRole(role, { name, exact: true });
  for (let presses = 0; presses < 25; presses += 1) {
    if (await wanted.evaluateAll((found) => found.includes(document.activeElement as HTMLElement))) {
      const ring = await page.evaluate(() => {
        const { outlineStyle, boxShadow } = getComputedStyle(document.activeElement as Element);
        return { outlineStyle, boxShadow };
      });
      expect(
        ring.outlineStyle !== 'none' || ring.boxShadow !== 'none',
        `the focus on ${name} can be seen`,
      ).toBe(true);
      return;
    }
    await page.keyboard.press(key);
  }
  throw new Error(`Tab does not reach ${name}`);
}

async function giveNameByKeyboard(page: Page, invite: string): Promise<void> {
  await page.goto(invite);
  await expect(page.getByRole('button', { name: 'Start chat' })).toBeVisible();
  await tabTo(page, 'button', 'Start chat');
  await page.keyboard.press('Enter');
  await expect(page.getByLabel('Display Name')).toBeFocused();
  await page.keyboard.type('Jonas');
  await page.keyboard.press('Enter');
}

test(
  '[A11Y-12] the whole visit by keyboard alone: start, name, write, copy, menu, and a second device by code',
  alsoInFirefox,
  async ({ browser }) => {
    const invite = createInvite(createHandler().alias);
    const { page, context } = await newPerson(browser);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await giveNameByKeyboard(page, invite);

    // After the name, the focus is in the composer.
    await expect(page.getByPlaceholder('Message...')).toBeFocused();
    await page.keyboard.type('Hello');
    await page.keyboard.press('Shift+Enter');
    await page.keyboard.type('there');
    await page.keyboard.press('Enter');
    await expectTexts(page, ['Hello\nthere']);
    await expect(page.getByPlaceholder('Message...')).toBeFocused();

    await page.keyboard.press('Shift+Tab');
    await expect(page.getByRole('button', { name: 'Send an image' })).toBeFocused();
    await choose(page, () => page.keyboard.press('Enter'), await drawing('letter', 'letter.jpg'));
    await expect(page.getByText('letter.jpg')).toBeVisible();
    await tabTo(page, 'button', 'Remove letter.jpg', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await expect(page.getByText('letter.jpg')).toHaveCount(0);
    await expect(page.getByPlaceholder('Message...')).toBeFocused();

    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Shift+Tab');
    await expect(bubbles(page).getByRole('button', { name: 'Copy' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('Hello\nthere');

    await tabTo(page, 'button', 'Dismiss', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Continue on another device:')).toHaveCount(0);
    await tabTo(page, 'button', 'More');
    await page.keyboard.press('Enter');
    await expect(page.getByRole('menuitem', { name: 'Change name' })).toBeFocused();
    await page.keyboard.press('ArrowDown');
    await expect(page.getByRole('menuitem', { name: 'Continue in another browser or device' })).toBeFocused();
    await page.keyboard.press('Enter');
    await expect(page.getByText('Continue on another device:')).toBeVisible();
    // The banner is above the header.
    await tabTo(page, 'button', 'Copy', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await expect(page.getByText('Code copied!')).toBeVisible();
    const code = await page.evaluate(() => navigator.clipboard.readText());

    const { page: second } = await newPerson(browser);
    await giveNameByKeyboard(second, invite);
    await expect(second.getByRole('heading', { name: 'Continue this chat' })).toBeVisible();
    await expect(second.getByRole('textbox')).toBeFocused();
    await second.keyboard.type(code);
    await second.keyboard.press('Enter');
    await expectTexts(second, ['Hello\nthere']);
  },
);
