import type { Page } from '@playwright/test';
import { createHandler, createInvite } from './accounts.ts';
import {
  bannerCode,
  chatOfTwo,
  expectTexts,
  newPerson,
  openWithCode,
  send,
  startChatWithForms,
} from './people.ts';
import { alsoInFirefox, expect, test } from './watched.ts';

async function choose(page: Page, item: string): Promise<void> {
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('menuitem', { name: item }).click();
}

test(
  '[C-07] a visitor changes their name, by the same rules, and the handler sees it at once',
  alsoInFirefox,
  async ({ browser }) => {
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
  },
);

test(
  '[DEVICE-20] a new code lets in one more device, and the previous one stops working',
  alsoInFirefox,
  async ({ browser }) => {
    const invite = createInvite(createHandler().alias);
    const { page: first } = await newPerson(browser);
    await startChatWithForms(first, invite, 'Mia');
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
  },
);
