import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { createHandler } from './accounts.ts';
import { enterAdmin } from './admins.ts';
import { inDatabase } from './database.ts';
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

test('[INVITE-15] an invite whose answer was lost is not created a second time', async ({
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

test('[INVITE-15] an import whose desk is deactivated keeps the remaining rows, as a file and to continue', async ({
  page,
}) => {
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
