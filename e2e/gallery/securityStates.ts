import { expect, type Page } from '@playwright/test';
import { accountTexts } from '@settee/protocol/texts/accountTexts';
import { createHandler } from '../product/accounts.ts';
import { appCode, createAdmin, endGrace } from '../product/admins.ts';
import { inDatabase } from '../product/database.ts';
import { enterConsole } from '../product/people.ts';
import { type State, shows } from './stage.ts';

export const securityStates: State[] = [
  {
    name: 'enrol-choose',
    async reach({ page }) {
      const admin = createAdmin();
      await endGrace(admin.email);
      await enterDoor(page, admin);
      await shows(page, accountTexts.bannerOverdue);
      await page.goto('/admin');
      await shows(page, accountTexts.choosePasskeyNote);
    },
  },
  {
    name: 'second-factor-banner-console',
    async reach({ page }) {
      await enterDoor(page, createAdmin());
      await shows(page, accountTexts.bannerSetUp);
    },
  },
  {
    name: 'second-factor-banner-admin',
    async reach({ page }) {
      await enterDoor(page, createAdmin());
      await shows(page, accountTexts.bannerSetUp);
      await page.goto('/admin');
      await shows(page, accountTexts.bannerSetUp);
    },
  },
  {
    name: 'security-page',
    async reach({ page }) {
      const handler = createHandler();
      await enterConsole(page, handler, '/handler/security');
      await page.getByRole('button', { name: accountTexts.appSetUp }).click();
      await confirmApp(page);
      await shows(page, accountTexts.keepTitle);
      await page.getByRole('button', { name: accountTexts.kept }).click();
      await inDatabase(
        `insert into staff_passkeys (staff_id, credential_id, public_key, counter, transports, name, last_used_at)
         select id, 'gallery ' || id, '', 0, '{}', 'MacBook Pro, at the desk by the window', now() from staff where email = $1`,
        [handler.email],
      );
      await inDatabase(
        `insert into staff_sessions (staff_id, token_hash, browser, network, created_at, expires_at)
         select id, sha256(id::text::bytea), 'Firefox on Android', '203.0.113.*', now() - interval '3 days',
           now() + interval '1 day'
         from staff where email = $1`,
        [handler.email],
      );
      await page.reload();
      await shows(page, accountTexts.recoveryRenew);
      await shows(page, accountTexts.signOutElsewhere);
    },
  },
  {
    name: 'security-app-dialog',
    async reach({ page }) {
      await enterConsole(page, createHandler(), '/handler/security');
      await page.getByRole('button', { name: accountTexts.appSetUp }).click();
      await secretOf(page);
    },
  },
  {
    name: 'sign-in-second-step',
    async reach({ page }) {
      const handler = createHandler();
      await enterConsole(page, handler, '/handler/security');
      await page.getByRole('button', { name: accountTexts.appSetUp }).click();
      await confirmApp(page);
      await page.getByRole('button', { name: accountTexts.kept }).click();
      await page.context().clearCookies();
      await enterDoor(page, handler);
      await shows(page, accountTexts.codeTitle);
    },
  },
];

async function enterDoor(
  page: Page,
  { email, password }: { email: string; password: string },
): Promise<void> {
  await page.goto('/handler');
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in to Handler Console' }).click();
}

async function secretOf(page: Page): Promise<string> {
  await expect(page.getByRole('img', { name: accountTexts.totpQr })).toBeVisible();
  return page.locator('code').innerText();
}

async function confirmApp(page: Page): Promise<void> {
  await page.getByLabel(accountTexts.totpCode).fill(appCode(await secretOf(page)));
  await page.getByRole('button', { name: accountTexts.totpConfirm }).click();
}
