import type { Page } from '@playwright/test';
import { adminTexts } from '@settee/protocol/texts/adminTexts';
import { createHandler } from './accounts.ts';
import { createAdmin } from './admins.ts';
import { createWithRole, endSessions } from './database.ts';
import { hold } from './network.ts';
import { fillSignIn, signIn } from './people.ts';
import { alsoInFirefox, expect, test } from './watched.ts';

test(
  '[H-09] [C-08] [S-12] [E-06] [P-05] [R-06] [H-07] [K-07] [R-04] who may sign in, who may not, and what they read',
  alsoInFirefox,
  async ({ page }) => {
    const admin = await createWithRole('admin');
    const stranger = await createWithRole('guest');
    const sent: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/sign-in')) sent.push(request.url());
    });
    await page.goto('/handler');
    await expect(page.getByRole('heading', { name: 'Handler Console' })).toBeVisible();
    await expect(page.getByText('Sign in to manage your assigned conversations')).toBeVisible();
    await expect(
      page.getByText('Contact your administrator for access to the Handler Console'),
    ).toBeVisible();
    await expect(page).toHaveTitle('Sign in · Settee · Console');

    const submit = page.getByRole('button', { name: 'Sign in to Handler Console' });
    await submit.click();
    await expect(page.getByLabel('Email address')).toBeFocused();
    await page.getByLabel('Email address').fill(admin.email);
    await submit.click();
    await expect(page.getByLabel('Password')).toBeFocused();
    expect(sent).toEqual([]);

    await fillSignIn(page, { ...admin, password: 'wrong' });
    await expect(page.getByText('Failed to sign in')).toBeVisible();
    await fillSignIn(page, stranger);
    await expect(page.getByText('Access denied. Handler or admin role required.')).toBeVisible();
    await page.reload();
    await expect(submit).toBeVisible();
    // A proxy between browser and server answers instead of the server.
    await page.route('**/auth/staff/sign-in', (route) => route.fulfill({ json: { hello: 'there' } }));
    await fillSignIn(page, admin);
    await expect(page.getByText('Failed to authenticate')).toBeVisible();
    await page.unroute('**/auth/staff/sign-in');

    const release = await hold(page, 'auth/staff/sign-in');
    await fillSignIn(page, admin);
    await expect(page.getByRole('button', { name: 'Signing in...' })).toBeDisabled();
    await release();
    await expect(page.getByRole('heading', { name: /^My Queue/ })).toBeVisible();
    await expect(page).toHaveTitle('Settee · Console');
    // Any other path redirects to the queue.
    await page.goto('/handler/nowhere/at/all');
    await expect(page).toHaveURL('/handler');
    await expect(page.getByRole('heading', { name: /^My Queue/ })).toBeVisible();

    await endSessions(admin);
    await expect(page.getByText('User not authenticated')).toBeVisible();
    await expect(submit).toBeVisible();

    await fillSignIn(page, admin);
    await expect(page.getByRole('heading', { name: /^My Queue/ })).toBeVisible();
    // Setting the title throws while the console renders: it crashes, and Refresh Page works.
    await page.addInitScript(() => {
      if (sessionStorage.getItem('whole')) return;
      Object.defineProperty(document, 'title', {
        set() {
          throw new Error('broken on purpose');
        },
      });
    });
    await page.reload();
    await expect(page.getByRole('heading', { name: 'There was an error loading the console' })).toBeVisible();
    await page.evaluate(() => sessionStorage.setItem('whole', 'yes'));
    await page.getByRole('button', { name: 'Refresh Page' }).click();
    await expect(page.getByRole('heading', { name: /^My Queue/ })).toBeVisible();
    await page.getByRole('button', { name: 'Sign Out' }).first().click();
    await expect(submit).toBeVisible();
    await page.reload();
    await expect(submit).toBeVisible();
  },
);

test(
  '[R-03] /handler-test shows authentication, the current user, a mobile flag and a link to the console',
  alsoInFirefox,
  async ({ page, browser }) => {
    const handler = createHandler();
    const answer = (of: Page, term: string) =>
      of.locator('dt', { hasText: term }).locator('xpath=following-sibling::dd[1]');
    await page.goto('/handler-test');
    await expect(answer(page, 'Authentication')).toHaveText('available');
    await expect(answer(page, 'Current user')).toHaveText('none');
    await expect(answer(page, 'Mobile')).toHaveText('no');
    await page.getByRole('button', { name: 'Open the handler console' }).click();
    await expect(page).toHaveURL('/handler');
    await fillSignIn(page, handler);
    await expect(page.getByText(`Handler: ${handler.alias}`)).toBeVisible();
    await page.goto('/handler-test');
    await expect(answer(page, 'Current user')).toHaveText(`Ana Kovač, handler, ${handler.alias}`);
    await page.route('**/auth/staff/refresh', (route) => route.abort());
    await page.reload();
    await expect(answer(page, 'Authentication')).toHaveText('not available');

    const small = await browser.newPage({
      userAgent:
        'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
      isMobile: true,
    });
    await small.goto('/handler-test');
    await expect(answer(small, 'Mobile')).toHaveText('yes');
  },
);

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

    await fillSignIn(page, admin);
    await expect(page).toHaveURL(/\/admin\/invites\?state=NEW$/);
    await expect(page.getByRole('navigation', { name: adminTexts.navigation })).toBeVisible();

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
    await expect(page.getByText('You’re signed in, but not as an administrator.')).toBeVisible();
    await page.getByRole('button', { name: 'Handler console' }).click();
    await expect(page.getByRole('heading', { name: /^My Queue/ })).toBeVisible();
    await page.goto('/admin');
    await page.getByRole('button', { name: 'Public chat' }).click();
    await expect(page).toHaveURL(/\/chat$/);
  },
);
