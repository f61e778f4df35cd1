import type { Page } from '@playwright/test';
import { createHandler, type Handler } from './accounts.ts';
import { createWithRole, endSessions } from './database.ts';
import { hold } from './network.ts';
import { alsoInFirefox, expect, test } from './watched.ts';

const REFRESH = 'auth/staff/refresh';

async function fillSignIn(page: Page, { email, password }: Handler): Promise<void> {
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in to Handler Console' }).click();
}

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
    await page.route(`**/${REFRESH}`, (route) => route.abort());
    await page.reload();
    await expect(answer(page, 'Authentication')).toHaveText('not available');

    const phone = await browser.newContext({
      userAgent:
        'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
      isMobile: true,
    });
    const small = await phone.newPage();
    await small.goto('/handler-test');
    await expect(answer(small, 'Mobile')).toHaveText('yes');
  },
);
