import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { createHandler, createInvite } from './accounts.ts';
import { enterAdmin } from './admins.ts';
import { inDatabase } from './database.ts';
import { newPerson } from './people.ts';
import { expect, test } from './watched.ts';

/** A label that is unique to this test. */
const label = (words: string) => `${words} ${randomUUID().slice(0, 8)}`;
const button = (page: Page | Locator, name: string | RegExp) => page.getByRole('button', { name });

async function labelsLike(name: string): Promise<string[]> {
  const { rows } = await inDatabase<{ label: string }>(
    'select label from invites where starts_with(label, $1) order by created_at desc',
    [name],
  );
  return rows.map((row) => row.label);
}

test('[INVITE-29] links count as printed only after the administrator confirms it', async ({ page }) => {
  const { alias } = createHandler();
  await enterAdmin(page, { path: '/admin/invites/bulk' });
  await page.getByLabel('Label prefix').fill(label('Paper'));
  await page.locator('form').getByLabel('How many', { exact: true }).fill('2');
  await page.getByLabel('Handler').selectOption(alias);
  await button(page, 'Create 2 invites').click();
  await button(page, 'Print cards').click();
  // The user cancels the print dialog. The browser does not report this to the page.
  await page.evaluate(() => Object.assign(globalThis, { print: () => undefined }));
  const question = page.getByRole('dialog', { name: 'Did they print?' });
  await button(page, /^Print$/).click();
  await button(question, 'Not yet').click();
  await button(page, 'Back').click();
  await button(page, 'Another invite').click();
  await button(page.getByRole('dialog', { name: 'Leave without the links?' }), 'Cancel').click();

  await button(page, 'Print cards').click();
  await button(page, /^Print$/).click();
  // Some browsers do not block while printing. They must not print the question.
  await page.emulateMedia({ media: 'print' });
  await expect(question).toBeHidden();
  await page.emulateMedia({ media: 'screen' });
  await button(question, 'Yes, they did').click();
  await button(page, 'Back').click();
  await button(page, 'Another invite').click();
  await expect(page.getByLabel('Label prefix')).toBeVisible();
});

test('[INVITE-30] an open invite form stays when an update empties the list', async ({ page, browser }) => {
  const { alias } = createHandler();
  const { page: visitor } = await newPerson(browser);
  await visitor.goto(createInvite(alias));
  await button(visitor, 'Start chat').click();
  await expect(visitor.getByLabel('Display Name')).toBeVisible();
  await enterAdmin(page, { path: `/admin/invites?handler=${alias}&state=SEEN` });
  await button(page, /Actions for/).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  const name = label('Half-written');
  await page.getByRole('dialog').getByLabel('Label').fill(name);

  await visitor.getByLabel('Display Name').fill('Jonas Weber');
  await button(visitor, 'Start Chatting').click();
  await expect(page.getByText('No matches')).toBeVisible();
  await expect(page.getByRole('dialog').getByLabel('Label')).toHaveValue(name);
  await button(page, 'Save').click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  expect(await labelsLike(name)).toEqual([name]);
});

test('[INVITE-30] a new link stays visible when the last desk goes', async ({ page, context }) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { alias } = createHandler();
  await enterAdmin(page, { path: '/admin/invites/new' });
  await page.getByLabel('Label').fill(label('Last'));
  await page.getByLabel('Handler').selectOption(alias);
  await button(page, 'Create invite').click();
  const link = page.getByLabel('Invite link', { exact: true });
  const made = await link.inputValue();
  // The test cannot remove all desks of the shared installation, so it fakes the response.
  await page.route('**/desks', (route) => route.fulfill({ json: { success: true, desks: [] } }));
  const read = page.waitForResponse('**/desks');
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange', { bubbles: true })));
  await (await read).finished();
  await button(page, 'Copy link').click();
  await expect(button(page, 'Copied')).toBeVisible();
  await expect(link).toHaveValue(made);
  await button(page, 'Another invite').click();
  await expect(page.getByText('needs a handler, and there are none yet')).toBeVisible();
});

test('[INVITE-17] an invite whose answer was lost is not created a second time', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { alias } = createHandler();
  const name = label('Once');
  await enterAdmin(page, { path: '/admin/invites/new' });
  await page.getByLabel('Label').fill(name);
  await page.getByLabel('Handler').selectOption(alias);
  // A proxy times out while the server completes the call.
  let calls = 0;
  await page.route('**/manage/invites', async (route) => {
    calls += 1;
    if (calls === 2) return route.continue();
    await route.fetch();
    return route.fulfill({ status: 504, body: '' });
  });
  await button(page, 'Create invite').click();
  await expect.poll(() => labelsLike(name)).toEqual([name]);
  await expect(button(page, 'Create invite')).toBeEnabled();
  await button(page, 'Create invite').click();
  await expect(page.getByText('This link is shown once.')).toBeVisible();
  expect(await labelsLike(name)).toEqual([name]);

  // A changed form makes another invite. The first keeps the text it was made with.
  await button(page, 'Copy link').click();
  await expect(button(page, 'Copied')).toBeVisible();
  await button(page, 'Another invite').click();
  const [first, second] = [label('First'), label('Second')];
  await page.getByLabel('Label').fill(first);
  await page.getByLabel('Handler').selectOption(alias);
  await button(page, 'Create invite').click();
  await expect.poll(() => labelsLike(first)).toEqual([first]);
  await expect(button(page, 'Create invite')).toBeEnabled();
  await page.unroute('**/manage/invites');
  await page.getByLabel('Label').fill(second);
  await button(page, 'Create invite').click();
  await expect(page.getByText('This link is shown once.')).toBeVisible();
  expect(await labelsLike(second)).toEqual([second]);
});

test('[ADMIN-34] a list in an old encoding keeps its letters, in import and export', async ({ page }) => {
  const { alias } = createHandler();
  const name = label('Käthe Müller');
  await enterAdmin(page, { path: '/admin/invites/import' });
  const buffer = Buffer.from(`${name},${alias},30\r\n`, 'latin1');
  await page
    .getByLabel('Choose a CSV file')
    .setInputFiles({ name: 'list.csv', mimeType: 'text/csv', buffer });
  await expect(page.getByLabel('Rows')).toHaveValue(new RegExp(`^${name},`));
  await button(page, 'Create invite').click();
  await expect(page.getByRole('heading', { name: '1 invite created' })).toBeVisible();
  const [file] = await Promise.all([page.waitForEvent('download'), button(page, 'Download CSV').click()]);
  const [head, row] = readFileSync(await file.path(), 'utf8').split('\r\n');
  expect(head).toBe('\uFEFFlabel,link,expires');
  expect(row).toMatch(new RegExp(`^${name},http`));
});

test('[INVITE-16] an import whose desk is deactivated keeps the remaining rows, as a file and to continue', async ({
  page,
}) => {
  test.setTimeout(180_000);
  const { alias } = createHandler();
  const name = label('Half-way');
  const setActive = (active: boolean) =>
    inDatabase('update staff set active = $2 where alias = $1', [alias, active]);
  await enterAdmin(page, { path: '/admin/invites/import' });
  await page
    .getByLabel('Rows')
    .fill(Array.from({ length: 502 }, (_, index) => `${name} no. ${index + 1},${alias},30`).join('\n'));
  let calls = 0;
  await page.route('**/manage/invites', async (route) => {
    calls += 1;
    if (calls === 2) await setActive(false);
    return route.continue();
  });
  await button(page, 'Create 502 invites').click();
  await expect(page.getByRole('heading', { name: '500 of 502 invites created' })).toBeVisible();
  await expect(page.getByText(/^Stopped: .*The invites created so far are below\.$/)).toBeVisible();
  const [rest] = await Promise.all([
    page.waitForEvent('download'),
    button(page, 'Download the remaining 2').click(),
  ]);
  expect(readFileSync(await rest.path(), 'utf8')).toBe(
    `\uFEFFlabel,handler,days\r\n${name} no. 501,${alias},30\r\n${name} no. 502,${alias},30\r\n`,
  );
  // The links are downloaded before the run continues, so the file does not contain all of them.
  const [first] = await Promise.all([page.waitForEvent('download'), button(page, 'Download CSV').click()]);
  expect(
    readFileSync(await first.path(), 'utf8')
      .trim()
      .split('\r\n'),
  ).toHaveLength(501);

  await setActive(true);
  await button(page, 'Continue with the remaining 2').click();
  await expect(page.getByRole('heading', { name: '502 invites created' })).toBeVisible();
  await expect(button(page, /remaining/)).toHaveCount(0);
  await button(page, 'Another invite').click();
  await button(page.getByRole('dialog', { name: 'Leave without the links?' }), 'Cancel').click();
  expect(await labelsLike(name)).toHaveLength(502);
});

test('[ADMIN-32] signing out asks before it loses links that cannot be shown again', async ({ page }) => {
  const { alias } = createHandler();
  const browserAsked: string[] = [];
  page.on('dialog', (dialog) => {
    browserAsked.push(dialog.type());
    void dialog.accept();
  });
  const signOut = async () => {
    await button(page, /, Administrator$/).click();
    await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  };
  await enterAdmin(page, { path: '/admin/invites/new' });
  await page.getByLabel('Label').fill(label('Alone'));
  await page.getByLabel('Handler').selectOption(alias);
  await button(page, 'Create invite').click();
  await expect(page.getByText('This link is shown once.')).toBeVisible();
  await signOut();
  await button(page.getByRole('dialog', { name: 'Leave without the link?' }), 'Cancel').click();
  await expect(page.getByText('This link is shown once.')).toBeVisible();

  await page.goto('/admin/invites/bulk');
  expect(browserAsked.splice(0)).toEqual(['beforeunload']);
  await page.getByLabel('Label prefix').fill(label('Many'));
  await page.locator('form').getByLabel('How many', { exact: true }).fill('2');
  await page.getByLabel('Handler').selectOption(alias);
  await button(page, 'Create 2 invites').click();
  const made = page.getByRole('heading', { name: '2 invites created' });
  await expect(made).toBeVisible();
  await signOut();
  const question = page.getByRole('dialog', { name: 'Leave without the links?' });
  await button(question, 'Cancel').click();
  await expect(made).toBeVisible();

  // After the user has confirmed, the browser does not ask again: nothing is left to lose.
  await signOut();
  await button(question, 'Sign Out').click();
  await expect(page).toHaveURL(/\/handler/);
  expect(browserAsked).toEqual([]);
});
