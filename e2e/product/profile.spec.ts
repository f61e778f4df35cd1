import type { Page, WebSocket } from '@playwright/test';
import { createHandler, createInvite } from './accounts.ts';
import { enterAdmin } from './admins.ts';
import { inDatabase } from './database.ts';
import { photograph } from './images.ts';
import type { Installation } from './ownInstallation.ts';
import { enterConsole, newPerson, send, startChat } from './people.ts';
import { expect, ownInstallationTest as test } from './watched.ts';

// One after another in one worker, because each worker would start an installation. An installation has one profile.
test.describe.configure({ mode: 'default', timeout: 180_000 });

const OFFLINE = 'Typically replies in a few minutes';

test.beforeEach(async ({ installation }) => {
  await inDatabase(
    `update brand set waiting_minutes = default, waiting_long_minutes = default, reopen_days = default,
       keep_days = null, updated_at = now()`,
    [],
    installation.databaseUrl,
  );
});

const envOf = ({ databaseUrl, url }: Installation) => ({
  ...process.env,
  DATABASE_URL: databaseUrl,
  PUBLIC_URL: url,
});
const named = (page: Page) => page.getByRole('heading', { level: 1 });
const barOf = (page: Page) => page.getByRole('region', { name: 'Unsaved changes' });

async function pick(page: Page, file: { name: string; mimeType: string; buffer: Buffer }): Promise<void> {
  await page.locator('input[type=file]').setInputFiles(file);
}

test('[D-05] [L-02] [PROFILE-15] the profile is changed with a preview, and every open page shows it at once', async ({
  page,
  browser,
  installation,
}) => {
  const env = envOf(installation);
  const handler = installation.handler();
  const [first, second] = [installation.invite(handler.alias), installation.invite(handler.alias)];
  installation.setBrand('--name', 'Settee', '--verified', 'true');
  const { page: stranger } = await newPerson(browser);
  await stranger.goto(first);
  const { page: visitor } = await newPerson(browser);
  await startChat(visitor, second, 'Jonas');
  await send(visitor, 'hello');
  const { page: desk } = await newPerson(browser);
  await enterConsole(desk, handler, '/handler');
  await desk.getByRole('link', { name: /Jonas/ }).click();
  await expect(desk.getByText('Chat with Settee')).toBeVisible();
  await enterAdmin(page, { path: '/admin/profile', env });
  for (const each of [stranger, visitor, desk]) {
    await each.evaluate(() => Object.assign(globalThis, { sameDocument: true }));
  }

  // Image: a file that is too large or no image is refused with a text; the rest is cropped with the keyboard only.
  await expect(page.getByText('Max 2 MB, square works best')).toBeVisible();
  await pick(page, { name: 'huge.jpg', mimeType: 'image/jpeg', buffer: Buffer.alloc(2 * 1_024 * 1_024 + 1) });
  await expect(page.getByText('A profile picture can have at most 2 MB')).toBeVisible();
  await pick(page, { name: 'a.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') });
  await expect(page.getByText('Please select a valid image file (JPEG, PNG, GIF, or WebP)')).toBeVisible();
  await pick(page, { name: 'broken.png', mimeType: 'image/png', buffer: Buffer.from('no picture') });
  await expect(page.getByText('That picture can’t be read. Please choose another.')).toBeVisible();
  await expect(barOf(page)).toHaveCount(0);
  await pick(page, await photograph('me.jpg', { width: 800, height: 400 }));
  const crop = page.getByRole('dialog', { name: 'Crop the picture' });
  await crop.getByRole('button', { name: 'Position of the picture' }).focus();
  for (let times = 0; times < 40; times++) await page.keyboard.press('ArrowRight');
  await crop.getByRole('slider', { name: 'Zoom' }).focus();
  for (let times = 0; times < 4; times++) await page.keyboard.press('ArrowRight');
  await crop.getByRole('button', { name: 'Use picture' }).focus();
  await page.keyboard.press('Enter');
  await expect(crop).toHaveCount(0);
  await expect(page.locator('figure img').first()).toHaveAttribute('src', /^blob:/);

  // Texts: the preview follows, other pages do not yet.
  await page.getByLabel('Name', { exact: true }).fill('Mara Lindqvist');
  await page.getByLabel('Verified').uncheck();
  await page.getByLabel('Disclosure line').fill('{name} and two friends answer.');
  await expect(page.locator('figure').getByText('Mara Lindqvist and two friends answer.')).toBeVisible();
  await expect(page.locator('figure').getByText('Mara Lindqvist', { exact: true })).toHaveCount(2);
  await expect(barOf(page)).toBeVisible();
  await expect(named(stranger)).toHaveText(/^Settee/);

  // Leaving asks for confirmation. Staying keeps all changes.
  await page.getByRole('link', { name: 'Audit log' }).click();
  const question = page.getByRole('dialog', { name: 'Leave without saving?' });
  await question.getByRole('button', { name: 'Stay' }).click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Mara Lindqvist');
  await barOf(page).getByRole('button', { name: 'Save' }).click();
  await expect(barOf(page)).toHaveCount(0);

  await expect(named(stranger)).toHaveText('Mara Lindqvist');
  await expect(named(stranger).getByRole('img')).toHaveCount(0);
  await expect(stranger).toHaveTitle('Start a conversation · Mara Lindqvist');
  await expect(stranger.getByText('Mara Lindqvist and two friends answer.')).toBeVisible();
  await expect(named(visitor)).toHaveText('Mara Lindqvist');
  await expect(visitor).toHaveTitle('Mara Lindqvist');
  await expect(desk.getByText('Chat with Mara Lindqvist')).toBeVisible();
  await expect(page).toHaveTitle(/Mara Lindqvist/);
  for (const each of [stranger, visitor]) {
    const picture = each.locator('header img');
    await expect(picture).toHaveAttribute('src', /^\/brand\/avatar\/[0-9a-f-]{36}\?v=\d+$/);
    await expect(picture).toHaveJSProperty('naturalWidth', 333);
    expect(await each.evaluate(() => 'sameDocument' in globalThis)).toBe(true);
  }
  expect(await desk.evaluate(() => 'sameDocument' in globalThis)).toBe(true);

  await page.reload();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Mara Lindqvist');
  await stranger.reload();
  await expect(stranger.locator('header img')).toHaveJSProperty('complete', true);

  // An error is shown beside its field, which gets the focus. Discard restores everything.
  await page.getByLabel('Name', { exact: true }).fill(' ');
  await page.getByLabel('Mark as urgent after, in minutes').fill('2');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Use 1 to 80 characters')).toBeVisible();
  await expect(page.getByText('Urgent must come later than highlighted')).toBeVisible();
  await expect(page.getByLabel('Name', { exact: true })).toBeFocused();
  await barOf(page).getByRole('button', { name: 'Discard' }).click();
  await expect(page.getByLabel('Name', { exact: true })).toHaveValue('Mara Lindqvist');
  await expect(page.getByText('Urgent must come later than highlighted')).toHaveCount(0);

  await page.getByRole('button', { name: 'Remove picture' }).click();
  await barOf(page).getByRole('button', { name: 'Save' }).click();
  await expect(stranger.locator('header').getByText('ML', { exact: true })).toBeVisible();
  await expect(visitor.locator('header img')).toHaveCount(0);
});

test('[MSG-21] the queue marks waiting visitors by the set thresholds, and a closed chat follows its window', async ({
  page,
  browser,
  installation,
}) => {
  const env = envOf(installation);
  const handler = installation.handler();
  const { page: visitor } = await newPerson(browser);
  await startChat(visitor, installation.invite(handler.alias), 'Ines');
  await send(visitor, 'anybody there?');
  const { page: other } = await newPerson(browser);
  await startChat(other, installation.invite(handler.alias), 'Pavel');
  await send(other, 'bye');
  await expect(other.getByText('Sent', { exact: true })).toBeVisible();
  await inDatabase(
    `update conversations set waiting_since = now() - interval '2 minutes' where handler_alias = $1`,
    [handler.alias],
    installation.databaseUrl,
  );
  const { page: desk } = await newPerson(browser);
  await enterConsole(desk, handler, '/handler');
  await desk.getByRole('link', { name: /Pavel/ }).click();
  await desk.getByRole('button', { name: 'Close', exact: true }).click();
  const row = desk.getByRole('link', { name: /Ines/ });
  await expect(row).toBeVisible();
  await expect(row.getByText(/^Waiting/)).toHaveCount(0);
  await expect(other.getByText('This conversation was closed. Sending a message reopens it.')).toBeVisible();

  await enterAdmin(page, { path: '/admin/profile', env });
  await page.getByLabel('Highlight after, in minutes').fill('1');
  await page.getByLabel('Mark as urgent after, in minutes').fill('30');
  await page.getByLabel('Reopening window, in days').fill('0');
  await page.getByRole('radio', { name: 'For a number of days' }).check();
  await page.getByLabel('Days to keep').fill('30');
  await barOf(page).getByRole('button', { name: 'Save' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  const chip = row.getByText(/^Waiting \d+m$/);
  await expect(chip).toHaveAttribute('data-tone', 'lamp');
  await expect(other.getByText('You can still read it here on this device.')).toBeVisible();

  await page.getByLabel('Mark as urgent after, in minutes').fill('2');
  await page.getByLabel('Reopening window, in days').fill('7');
  await barOf(page).getByRole('button', { name: 'Save' }).click();
  await expect(chip).toHaveAttribute('data-tone', 'danger');
  await expect(other.getByPlaceholder('Message...')).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Days to keep')).toHaveValue('30');
});

test('[PRIVACY-12] a shorter retention time shows how many conversations it erases, and is not saved unless confirmed', async ({
  page,
  browser,
  installation,
}) => {
  const env = envOf(installation);
  const alias = `keep-desk-${test.info().repeatEachIndex}`;
  createHandler(alias, env);
  const { page: visitor } = await newPerson(browser);
  await startChat(visitor, createInvite(alias, env), 'Olga');
  await send(visitor, 'years ago');
  await expect(visitor.getByText('Sent', { exact: true })).toBeVisible();
  const inOwn = (query: string) => inDatabase(query, [], installation.databaseUrl);
  await inOwn(
    `update conversations set last_message_at = now() - interval '40 days' where handler_alias = '${alias}'`,
  );
  const kept = async () => (await inOwn('select keep_days from brand')).rows[0]?.keep_days as unknown;

  await enterAdmin(page, { path: '/admin/profile', env });
  const save = barOf(page).getByRole('button', { name: 'Save' });
  const question = page.getByRole('dialog', { name: 'Keep conversations for less time?' });
  await page.getByRole('radio', { name: 'For a number of days' }).check();
  await page.getByLabel('Days to keep').fill('9');
  await save.click();
  await expect(question).toContainText('1 conversation will be erased within the hour.');
  await expect(question).toContainText('This can’t be undone.');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toHaveCount(0);
  await expect(save).toBeFocused();
  expect(await kept()).toBe(null);

  await page.getByLabel('Days to keep').fill('90');
  await save.click();
  await expect(question).toContainText('No conversation is that old yet.');
  await question.getByRole('button', { name: 'Save' }).click();
  await expect(barOf(page)).toHaveCount(0);
  expect(await kept()).toBe(90);

  // A longer retention deletes nothing.
  await page.getByLabel('Days to keep').fill('400');
  await save.click();
  await expect(barOf(page)).toHaveCount(0);
  expect(await kept()).toBe(400);
  await page.getByLabel('Days to keep').fill('39');
  await save.click();
  await question.getByRole('button', { name: 'Save and erase' }).click();
  await expect(barOf(page)).toHaveCount(0);
  expect(await kept()).toBe(39);

  // Retention of an invite applies to its one conversation.
  await page.goto(`/admin/invites?handler=${alias}`);
  await page.getByRole('button', { name: /Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const edit = page.getByRole('dialog', { name: /^Edit/ });
  await edit.getByLabel('Label').fill('Kept');
  await edit.getByLabel('Days to keep the conversation').fill('9');
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(question).toContainText('1 conversation will be erased within the hour.');
  await question.getByRole('button', { name: 'Cancel' }).click();
  await expect(question).toHaveCount(0);
  await edit.getByLabel('Days to keep the conversation').fill('900');
  await edit.getByRole('button', { name: 'Save' }).click();
  await expect(edit).toHaveCount(0);
  expect(
    (await inOwn(`select keep_days from invites where handler_alias = '${alias}'`)).rows[0]?.keep_days,
  ).toBe(900);
});

test('[B-03] [B-04] [B-08] [K-04] [R-06] [V-08] a change of the profile, and a handler who comes or leaves, appear without a reload, over one socket', async ({
  page,
  browser,
  context,
  installation,
}) => {
  installation.setBrand('--name', 'Nora Vik', '--verified', 'true', '--avatar', '/nowhere.png');
  const sockets: WebSocket[] = [];
  page.on('websocket', (socket) => sockets.push(socket));
  const openSockets = () => sockets.filter((socket) => !socket.isClosed());
  await page.goto(installation.invite());
  const profilePage = await context.newPage();
  await profilePage.goto('/chat');
  for (const each of [page, profilePage]) {
    await each.evaluate(() => Object.assign(globalThis, { sameDocument: true }));
    await expect(named(each)).toHaveText(/^Nora Vik/);
    await expect(named(each).getByRole('img')).toHaveAccessibleName('This is the official profile.');
    await expect(each.locator('header').getByText('NV', { exact: true })).toBeVisible();
    await expect(each.getByText(OFFLINE)).toBeVisible();
  }
  await expect(page).toHaveTitle('Start a conversation · Nora Vik');
  await expect(profilePage).toHaveTitle('Nora Vik');

  const handler = installation.handler();
  const { page: desk, context: deskContext } = await newPerson(browser);
  await enterConsole(desk, handler, '/handler');
  for (const each of [page, profilePage]) {
    await expect(each.getByRole('status').filter({ hasText: 'Online' })).toBeVisible();
    await expect(each.getByText(OFFLINE)).toHaveCount(0);
  }

  await page.getByRole('button', { name: 'Start chat' }).click();
  await page.getByLabel('Display Name').fill('Jonas');
  await expect(page).toHaveTitle('What should I call you? · Nora Vik');
  installation.setBrand('--name', 'Nora V.', '--verified', 'false', '--avatar', '/favicon.svg');
  for (const each of [page, profilePage]) {
    await expect(named(each)).toHaveText('Nora V.');
    await expect(each).toHaveTitle(/Nora V\.$/);
    await expect(named(each).getByRole('img')).toHaveCount(0);
    await expect(each.locator('header img')).toBeVisible();
  }
  await deskContext.close();
  for (const each of [page, profilePage]) await expect(each.getByText(OFFLINE)).toBeVisible();
  expect(sockets).toHaveLength(1);
  expect(openSockets()).toHaveLength(1);

  await page.getByRole('button', { name: 'Start Chatting' }).click();
  await expect(page.getByText('Start the conversation')).toBeVisible();
  // The chat opens a new socket, and the first one is closed.
  await expect.poll(() => [sockets.length, openSockets().length]).toEqual([2, 1]);
  expect(sockets[0]?.isClosed()).toBe(true);
  const { page: back } = await newPerson(browser);
  await enterConsole(back, handler, '/handler');
  for (const each of [page, profilePage]) {
    await expect(each.getByRole('banner').getByText('Online')).toBeVisible();
    expect(await each.evaluate(() => 'sameDocument' in globalThis)).toBe(true);
  }
});
