import type { Page } from '@playwright/test';
import { hoursTexts } from '@settee/protocol/texts/hoursTexts';
import { texts } from '@settee/protocol/texts/texts';
import { createInvite } from './accounts.ts';
import { enterAdmin } from './admins.ts';
import { inDatabase } from './database.ts';
import { type PickedFile, photograph } from './images.ts';
import { chatOfTwo, enterConsole, expectTexts, newPerson, send, startChat } from './people.ts';
import { expect, ownInstallationTest, test } from './watched.ts';

const named = (page: Page) => page.getByRole('heading', { level: 1 });

ownInstallationTest(
  '[D-05] [L-02] [PROFILE-15] [PRIVACY-12] the profile is changed with a preview, every open page shows it at once, and a shorter retention asks first',
  async ({ page, browser, installation }) => {
    const { databaseUrl, url } = installation;
    const env = { ...process.env, DATABASE_URL: databaseUrl, PUBLIC_URL: url };
    const bar = page.getByRole('region', { name: 'Unsaved changes' });
    const save = bar.getByRole('button', { name: 'Save' });
    const choose = (file: PickedFile) => page.locator('input[type=file]').setInputFiles(file);
    const handler = installation.handler();
    installation.setBrand('--name', 'Settee', '--verified', 'true');
    const { page: stranger } = await newPerson(browser);
    await stranger.goto(installation.invite(handler.alias));
    const { page: visitor } = await newPerson(browser);
    await startChat(visitor, createInvite(handler.alias, env), 'Jonas');
    await send(visitor, 'hello');
    const { page: desk } = await newPerson(browser);
    await enterConsole(desk, handler, '/handler');
    await desk.getByRole('link', { name: /Jonas/ }).click();
    await expect(desk.getByText('Chat with Settee')).toBeVisible();
    await enterAdmin(page, { path: '/admin/profile', env });
    const open = [stranger, visitor, desk];
    for (const each of open) await each.evaluate(() => Object.assign(globalThis, { sameDocument: true }));

    // A file that is too large or no image is refused. Another one is cropped with the keyboard only.
    await expect(page.getByText('Max 2 MB, square works best')).toBeVisible();
    const tooLarge = Buffer.alloc(2 * 1_024 * 1_024 + 1);
    await choose({ name: 'huge.jpg', mimeType: 'image/jpeg', buffer: tooLarge });
    await expect(page.getByText('A profile picture can have at most 2 MB')).toBeVisible();
    await choose({ name: 'a.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') });
    await expect(page.getByText('Please select a valid image file (JPEG, PNG, GIF, or WebP)')).toBeVisible();
    await choose(await photograph('me.jpg', { width: 800, height: 400 }));
    const crop = page.getByRole('dialog', { name: 'Crop the picture' });
    await crop.getByRole('slider', { name: 'Zoom' }).focus();
    for (let times = 0; times < 4; times++) await page.keyboard.press('ArrowRight');
    await crop.getByRole('button', { name: 'Use picture' }).press('Enter');
    await expect(crop).toHaveCount(0);

    // The preview follows, other pages do not yet. Leaving asks first.
    const name = page.getByLabel('Name', { exact: true });
    await name.fill('Mara Lindqvist');
    await page.getByLabel('Verified').uncheck();
    await page.getByLabel('Disclosure line').fill('{name} and two friends answer.');
    await expect(page.locator('figure').getByText('Mara Lindqvist and two friends answer.')).toBeVisible();
    await expect(named(stranger)).toHaveText(/^Settee/);
    await page.getByRole('link', { name: 'Audit log' }).click();
    const question = page.getByRole('dialog', { name: 'Leave without saving?' });
    await question.getByRole('button', { name: 'Stay' }).click();
    await save.click();
    await expect(bar).toHaveCount(0);

    await expect(stranger).toHaveTitle('Start a conversation · Mara Lindqvist');
    await expect(stranger.getByText('Mara Lindqvist and two friends answer.')).toBeVisible();
    await expect(visitor).toHaveTitle('Mara Lindqvist');
    await expect(desk.getByText('Chat with Mara Lindqvist')).toBeVisible();
    for (const each of [stranger, visitor]) {
      await expect(named(each)).toHaveText('Mara Lindqvist');
      await expect(named(each).getByRole('img')).toHaveCount(0);
      await expect(each.locator('header img')).toHaveJSProperty('naturalWidth', 333);
    }
    for (const each of open) expect(await each.evaluate(() => 'sameDocument' in globalThis)).toBe(true);
    await page.reload();
    await expect(name).toHaveValue('Mara Lindqvist');

    // A shorter retention time says how many conversations it erases, and is not saved unless confirmed.
    const inOwn = (statement: string) => inDatabase(statement, [], databaseUrl);
    const kept = async () => (await inOwn('select keep_days from brand')).rows[0]?.keep_days as unknown;
    await inOwn(`update conversations set last_message_at = now() - interval '40 days'`);
    await page.getByRole('radio', { name: 'For a number of days' }).check();
    await page.getByLabel('Days to keep').fill('9');
    await save.click();
    const erasing = page.getByRole('dialog', { name: 'Keep conversations for less time?' });
    await expect(erasing).toContainText('1 conversation will be erased within the hour.');
    await erasing.getByRole('button', { name: 'Cancel' }).click();
    await expect(erasing).toHaveCount(0);
    expect(await kept()).toBe(null);
    await save.click();
    await erasing.getByRole('button', { name: 'Save and erase' }).click();
    await expect(bar).toHaveCount(0);
    expect(await kept()).toBe(9);
  },
);

test('[PROFILE-06] hours show the away message to visitors of that desk, and nothing to its handlers', async ({
  browser,
}) => {
  const { visitor, desk, handler } = await chatOfTwo(browser, 'Léa Moreau');
  const { visitor: other } = await chatOfTwo(browser, 'Tom');
  const note = (page: Page) => page.getByRole('status').filter({ hasText: texts.away });
  await send(visitor, 'Hello');
  await expectTexts(desk, ['Hello']);
  await expect(note(visitor)).toHaveCount(0);

  // Open on one day only, neither today nor tomorrow.
  const { page: admin } = await newPerson(browser);
  await enterAdmin(admin, { path: '/admin/hours' });
  await admin.getByRole('button', { name: `Set hours for ${handler.alias}` }).click();
  const dialog = admin.getByRole('dialog');
  const openDay = new Intl.DateTimeFormat('en-GB', { weekday: 'long', timeZone: 'Europe/Berlin' }).format(
    Date.now() + 3 * 86_400_000,
  );
  await dialog.getByLabel('Time zone').selectOption('Europe/Berlin');
  for (const day of hoursTexts.days) await dialog.getByLabel(`Open on ${day}`).setChecked(day === openDay);
  await dialog.getByLabel(`${openDay}, from`).fill('10:30');
  await dialog.getByLabel(`${openDay}, to`).fill('12:00');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(admin.getByRole('listitem').filter({ hasText: handler.alias })).toContainText('10:30–12:00');

  // The visitor's open page updates by itself, and the visitor can still write.
  await expect(note(visitor)).toHaveText(`${texts.away} Back ${openDay} at 10:30`);
  await expect(note(other)).toHaveCount(0);
  await send(visitor, 'Anyone?');
  await expectTexts(desk, ['Hello', 'Anyone?']);
  await expect(desk.getByText(texts.away)).toHaveCount(0);
  await send(desk, 'Yes, by chance');
  await expectTexts(visitor, ['Hello', 'Anyone?', 'Yes, by chance']);
  await visitor.reload();
  await expect(note(visitor)).toBeVisible();

  await admin.getByRole('button', { name: `Edit hours of ${handler.alias}` }).click();
  await dialog.getByRole('button', { name: 'Remove hours' }).click();
  await expect(note(visitor)).toHaveCount(0);
  await expect(visitor.getByPlaceholder('Message...')).toBeVisible();
});
