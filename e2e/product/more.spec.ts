import type { Page } from '@playwright/test';
import { createHandler, createInvite } from './accounts.ts';
import { bannerCode, chatOfTwo, expectTexts, newPerson, openWithCode, send, startChat } from './people.ts';
import { expect, test } from './watched.ts';

async function choose(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

test('[MSG-40] [C-07] a visitor changes their name, by the same rules, and the handler sees it at once', async ({
  browser,
}) => {
  const { visitor, desk } = await chatOfTwo(browser, 'Jonas');
  await choose(visitor, 'Change name');
  const dialog = visitor.getByRole('dialog', { name: 'Change name' });
  const field = dialog.getByLabel('Display Name');
  await expect(field).toHaveValue('Jonas');
  await expect(field).toBeFocused();
  await field.fill('J');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Name must be at least 2 characters')).toBeVisible();

  await visitor.route('**/visitorName', (route) => route.abort());
  await field.fill('Jonas Weber');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog.getByText('Failed to save name')).toBeVisible();
  await visitor.unroute('**/visitorName');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toHaveCount(0);
  await expect(desk.getByRole('heading', { name: 'Jonas Weber' })).toBeVisible();

  await choose(visitor, 'Change name');
  await expect(field).toBeFocused();
  await visitor.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(visitor.getByPlaceholder('Message...')).toBeVisible();
});

test('[DEVICE-23] a new code lets in one more device, and the previous one stops working', async ({
  browser,
}) => {
  const invite = createInvite(createHandler().alias);
  const { page: first } = await newPerson(browser);
  await startChat(first, invite, 'Mia');
  await send(first, 'from the phone');
  const old = await bannerCode(first);
  await first.getByRole('button', { name: 'Dismiss' }).click();
  await choose(first, 'Continue in another browser or device');
  const fresh = await bannerCode(first);
  expect(fresh).not.toBe(old);

  const { page: second } = await newPerson(browser);
  await openWithCode(second, invite, 'Mia', old);
  await expect(second.getByText("That code doesn't match. Try again")).toBeVisible();
  await second.getByRole('textbox').fill(fresh);
  await expectTexts(second, ['from the phone']);
  // Only the first device can let in another one.
  await second.getByRole('button', { name: 'More' }).click();
  await expect(second.getByRole('menuitem', { name: 'Change name' })).toBeVisible();
  await expect(second.getByRole('menuitem', { name: 'Continue in another browser or device' })).toHaveCount(
    0,
  );

  await first.route('**/continueCode', (route) => route.abort());
  await choose(first, 'Continue in another browser or device');
  await expect(first.getByText("Couldn't make a code. Try again in a moment.")).toBeVisible();
});

test('[PAGE-13] the theme is chosen in the menu, survives a reload and applies before the first paint', async ({
  page,
}) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await startChat(page, createInvite(createHandler().alias), 'Jonas');
  const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await paper();
  await page.getByRole('button', { name: 'More' }).click();
  await expect(page.getByRole('menuitemradio', { name: 'System' })).toHaveAttribute('aria-checked', 'true');
  await page.getByRole('menuitemradio', { name: 'Dark' }).click();
  const dark = await paper();
  expect(dark).not.toBe(light);

  // Without any script file, only the HTML decides.
  await page.route('**/assets/*.js', (route) => route.abort());
  await page.reload({ waitUntil: 'commit' });
  await expect.poll(paper).toBe(dark);
  await page.unroute('**/assets/*.js');
  await page.reload();
  await expect(page.getByPlaceholder('Message...')).toBeVisible();
  expect(await paper()).toBe(dark);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitemradio', { name: 'System' }).click();
  expect(await paper()).toBe(light);
});

test('[A11Y-11] the menu by keyboard: arrow keys, Esc, and the focus returns', async ({ page }) => {
  await startChat(page, createInvite(createHandler().alias), 'Jonas');
  const button = page.getByRole('button', { name: 'More' });
  await button.focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('menuitem', { name: 'Change name' })).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(page.getByRole('menuitemradio', { name: 'Dark' })).toBeFocused();
  await page.keyboard.press('Home');
  await expect(page.getByRole('menuitem', { name: 'Change name' })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(page.getByRole('menu')).toHaveCount(0);
  await expect(button).toBeFocused();
  // A second press on the button closes it, like a press anywhere else.
  await button.click();
  await expect(page.getByRole('menu')).toBeVisible();
  await button.click();
  await expect(page.getByRole('menu')).toHaveCount(0);
});
