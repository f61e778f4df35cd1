import type { Page } from '@playwright/test';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { consoleTexts } from '@settee/protocol/texts/consoleTexts';
import { createHandler } from './accounts.ts';
import { createAdmin } from './admins.ts';
import { hold } from './network.ts';
import { signIn } from './people.ts';
import { alsoInFirefox, expect, test } from './watched.ts';

const area = { name: adminTexts.navigation };

test(
  '[R-05] [A-01] [A-02] [A-03] the gate checks the session, redirects to the sign-in, and then to the requested page',
  alsoInFirefox,
  async ({ page }) => {
    const admin = createAdmin();
    const release = await hold(page, 'auth/staff/refresh');
    await noteHeadings(page);
    await page.goto('/admin/invites?state=NEW');
    await expect(page.getByRole('heading', { name: 'Loading...' })).toBeVisible();
    // The page shows nothing of the admin area before it knows the role.
    await expect(page.getByRole('navigation')).toHaveCount(0);
    await release();
    await expect(page.getByRole('heading', { name: 'Handler Console' })).toBeVisible();
    // These headings disappear too quickly to wait for them.
    expect(await headings(page)).toEqual(expect.arrayContaining(['Loading...', 'Redirecting to login...']));

    await page.getByLabel('Email address').fill(admin.email);
    await page.getByLabel('Password').fill(admin.password);
    await page.getByRole('button', { name: 'Sign in to Handler Console' }).click();
    await expect(page).toHaveURL(/\/admin\/invites\?state=NEW$/);
    await expect(page.getByRole('navigation', area)).toBeVisible();

    for (const path of ['/admin', '/admin/', '/admin/nowhere']) {
      await page.goto(path);
      await expect(page, path).toHaveURL(/\/admin\/dashboard$/);
      await expect(page.getByRole('heading', { level: 1, name: adminTexts.dashboard })).toBeVisible();
    }
  },
);

/** Records every heading that the tab shows from its next load on, even a short-lived one. */
async function noteHeadings(page: Page): Promise<void> {
  await page.addInitScript(() => {
    new MutationObserver(() => {
      const heading = document.querySelector('h1')?.textContent ?? '';
      sessionStorage.setItem('headings', `${sessionStorage.getItem('headings') ?? ''}\n${heading}`);
    }).observe(document, { subtree: true, childList: true });
  });
}

function headings(page: Page): Promise<string[]> {
  return page.evaluate(() => (sessionStorage.getItem('headings') ?? '').split('\n'));
}

test(
  '[A-04] a handler is redirected to the console’s address and sees Access Denied with two links',
  alsoInFirefox,
  async ({ page }) => {
    await signIn(page, createHandler());
    await page.goto('/admin/audit');
    await expect(page).toHaveURL(/\/handler\?denied$/);
    await expect(page.getByRole('heading', { name: 'Access Denied' })).toBeVisible();
    await expect(page.getByText("You're signed in, but not as an administrator.")).toBeVisible();
    await page.getByRole('button', { name: 'Handler console' }).click();
    await expect(page.getByRole('heading', { name: /^My Queue/ })).toBeVisible();
    const menu = page.getByRole('button', { name: new RegExp(`^${consoleTexts.me}`) });
    await menu.click();
    await expect(page.getByRole('menuitem', { name: adminTexts.navigation })).toHaveCount(0);
    await page.keyboard.press('Escape');

    await page.goto('/admin');
    await page.getByRole('button', { name: 'Public chat' }).click();
    await expect(page).toHaveURL(/\/chat$/);
  },
);
