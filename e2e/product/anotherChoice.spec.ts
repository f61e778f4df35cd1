import type { Locator, Page } from '@playwright/test';
import { createHandler, createInvite } from './accounts.ts';
import { enterAdmin } from './admins.ts';
import { makeConversations } from './database.ts';
import { hold } from './people.ts';
import { expect, test } from './watched.ts';

/** The page still shows the result of the previous choice. */
const busy = (page: Page): Locator => page.locator('main [aria-busy="true"]');
const loading = (page: Page): Locator => page.getByRole('main').getByText('Loading...');

test('[ADMIN-30] while another filter of invites loads, nothing shows as missing, and the old rows are dimmed', async ({
  page,
}) => {
  const { alias } = createHandler();
  createInvite(alias);
  await enterAdmin(page, { path: `/admin/invites?handler=${alias}&state=REVOKED` });
  await expect(page.getByText('No matches')).toBeVisible();
  const letGo = await hold(page, 'manage/invites?*');
  await page.getByRole('radio', { name: /New/ }).click();
  await expect(loading(page)).toBeVisible();
  await expect(page.getByText('No matches')).toHaveCount(0);
  await letGo();
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await expect(busy(page)).toHaveCount(0);

  const letGoAgain = await hold(page, 'manage/invites?*');
  await page.getByRole('radio', { name: /Started/ }).click();
  await expect(busy(page).getByRole('row').nth(1)).toBeVisible();
  await letGoAgain();
  await expect(page.getByText('No matches')).toBeVisible();
});

test('[ADMIN-30] conversations behave the same', async ({ page }) => {
  const { alias } = createHandler();
  await makeConversations(alias, [{ name: 'Jonas Weber', text: 'Hello', minutesAgo: 1 }]);
  await enterAdmin(page, { path: `/admin/conversations?alias=${alias}&show=closed` });
  const show = page.getByRole('link', { name: /Jonas Weber/ });
  await expect(page.getByText('No matches')).toBeVisible();
  const letGo = await hold(page, 'manage/conversations?*');
  await page.getByRole('radio', { name: /^Open/ }).check();
  await expect(loading(page)).toBeVisible();
  await expect(page.getByText('No matches')).toHaveCount(0);
  await letGo();
  await expect(show).toBeVisible();
  await expect(busy(page)).toHaveCount(0);

  const letGoAgain = await hold(page, 'manage/conversations?*');
  await page.getByRole('radio', { name: /^Blocked/ }).check();
  await expect(busy(page).getByRole('link', { name: /Jonas Weber/ })).toBeVisible();
  await letGoAgain();
  await expect(page.getByText('No matches')).toBeVisible();
});

test('[ADMIN-30] the audit log behaves the same', async ({ page }) => {
  await enterAdmin(page, { path: '/admin/audit?q=nothing-is-called-like-this' });
  await expect(page.getByText('No matches')).toBeVisible();
  const letGo = await hold(page, 'manage/audit?*');
  await page.getByLabel('What').selectOption('Signed in');
  await expect(loading(page)).toBeVisible();
  await expect(page.getByText('No matches')).toHaveCount(0);
  await letGo();
  await expect(page.getByText('No matches')).toBeVisible();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(page.getByRole('row').nth(1)).toBeVisible();

  const letGoAgain = await hold(page, 'manage/audit?*');
  await page.getByLabel('What').selectOption('Signed in');
  await expect(busy(page).getByRole('row').nth(1)).toBeVisible();
  await letGoAgain();
  await expect(busy(page)).toHaveCount(0);
});

test('[ADMIN-30] the figures of seven days do not show as those of thirty', async ({ page }) => {
  await enterAdmin(page, { path: '/admin/dashboard' });
  const figures = page.getByRole('button', { name: /^Messages \d/ });
  await expect(figures).toBeVisible();
  const letGo = await hold(page, 'manage/dashboard?*');
  await page.getByRole('radio', { name: '30 days' }).click();
  await expect(busy(page).getByRole('button', { name: /^Messages \d/ })).toBeVisible();
  await letGo();
  await expect(busy(page)).toHaveCount(0);
  await expect(figures).toBeVisible();
});
