import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { createHandler, type Handler } from './accounts.ts';
import { appCode, createAdmin, endGrace } from './admins.ts';
import { inDatabase } from './database.ts';
import { tabTo } from './pages.ts';
import { newPerson } from './people.ts';
import { alsoInFirefox, expect, test } from './watched.ts';

type Account = Pick<Handler, 'email' | 'password'>;

async function password(page: Page, { email, password }: Account, path = '/handler'): Promise<void> {
  await page.goto(path);
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in to Handler Console' }).click();
}

/** A security key in Chromium whose owner always confirms. */
async function plugInKey(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
}

async function secretOnShow(page: Page): Promise<string> {
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  return (await page.locator('code').innerText()).replaceAll(' ', '');
}

async function showOldSessions({ email }: Account): Promise<void> {
  await inDatabase(
    `update staff_sessions set created_at = created_at - interval '1 hour',
       second_factor_at = second_factor_at - interval '1 hour', confirmed_at = null
     where staff_id = (select id from staff where email = $1)`,
    [email],
  );
}

test(
  '[FACTOR-02] a new administrator works at once; a banner leads to the setup, which works on the phone itself',
  alsoInFirefox,
  async ({ page, context }) => {
    const admin = createAdmin();
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await password(page, admin);
    await expect(page.getByRole('heading', { name: /^My Queue/ })).toBeVisible();
    const banner = page.getByText(/^Protect your account with a second factor\. Please set it up by \w/);
    await expect(banner).toBeVisible();
    await page.getByRole('button', { name: 'Later' }).click();
    await expect(banner).toHaveCount(0);

    await page.goto('/admin');
    await expect(page.getByRole('navigation', { name: 'Admin area' })).toBeAttached();
    await expect(banner).toBeVisible();
    await page.getByRole('link', { name: 'Set up now' }).click();
    await expect(page.getByRole('heading', { name: 'Sign-in security' })).toBeVisible();
    await page
      .getByRole('region', { name: 'Authenticator app' })
      .getByRole('button', { name: 'Set up' })
      .click();
    const secret = await secretOnShow(page);
    const link = page.getByRole('link', { name: 'Open in the app on this device' });
    expect(await link.getAttribute('href')).toMatch(
      new RegExp(`^otpauth://totp/Settee.*[?&]secret=${secret}(?:&|$)`),
    );
    await page.getByRole('button', { name: 'Copy key' }).click();
    await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(secret);
    await page.getByLabel('Then enter the 6-digit code from the app').fill(appCode(secret));
    await page.getByRole('button', { name: 'Turn on' }).click();
    await page.getByRole('button', { name: 'I’ve saved them' }).click();
    await page.goto('/handler');
    await expect(page.getByRole('heading', { name: /^My Queue/ })).toBeVisible();
    await expect(banner).toHaveCount(0);
  },
);

test('[FACTOR-10] [A11Y-14] [FACTOR-09] an administrator sets up an app by keyboard alone, saves the codes, and signs in with both', async ({
  page,
  context,
  browser,
}) => {
  const admin = createAdmin();
  await endGrace(admin.email);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await password(page, admin, '/handler?next=%2Fadmin%2Finvites');
  await expect(page.getByRole('heading', { name: 'Set up your second factor' })).toBeVisible();
  // Every other page is closed.
  await page.goto('/admin/audit');
  await expect(page.getByRole('heading', { name: 'Set up your second factor' })).toBeVisible();
  await expect(page.getByRole('navigation')).toHaveCount(0);

  await tabTo(page, page.getByRole('button', { name: /^Authenticator app/ }));
  await page.keyboard.press('Enter');
  const steps = page.getByRole('heading', { level: 1 });
  await expect(steps).toBeFocused();
  const secret = await secretOnShow(page);
  await tabTo(page, page.getByLabel('Then enter the 6-digit code from the app'));
  await page.keyboard.type('000000');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: 'Invalid code. Please try again.' })).toBeVisible();
  await page.getByLabel('Then enter the 6-digit code from the app').fill('');
  const used = appCode(secret);
  await page.keyboard.type(used);
  await page.keyboard.press('Enter');

  await expect(page.getByRole('heading', { name: 'Save your recovery codes' })).toBeVisible();
  await expect(steps).toBeFocused();
  const codes = await page.getByRole('listitem').allInnerTexts();
  expect(new Set(codes).size).toBe(10);
  await tabTo(page, page.getByRole('button', { name: 'Copy' }));
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Copied' })).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(codes.join('\n'));
  const downloading = page.waitForEvent('download');
  await tabTo(page, page.getByRole('button', { name: 'Download' }));
  await page.keyboard.press('Enter');
  const kept = readFileSync((await (await downloading).path()) ?? '', 'utf8');
  expect(kept).toContain(codes.join('\n'));
  expect(kept).toContain(admin.email);
  await tabTo(page, page.getByRole('button', { name: 'I’ve saved them' }));
  await page.keyboard.press('Enter');
  // The page they wanted, without another sign-in.
  await expect(page.getByRole('navigation', { name: 'Admin area' })).toBeAttached();
  await expect(page).toHaveURL('/admin/audit');

  const { page: elsewhere } = await newPerson(browser);
  await password(elsewhere, admin);
  await expect(elsewhere.getByRole('heading', { name: 'Enter the code from your app' })).toBeVisible();
  const field = elsewhere.getByLabel('Code');
  await expect(field).toBeFocused();
  await expect(field).toHaveAttribute('autocomplete', 'one-time-code');
  await elsewhere.keyboard.type('123');
  await elsewhere.keyboard.press('Enter');
  await expect(elsewhere.getByRole('alert').filter({ hasText: 'The code has 6 digits' })).toBeVisible();
  await field.fill('');
  await elsewhere.keyboard.type(used);
  await elsewhere.keyboard.press('Enter');
  await expect(
    elsewhere.getByRole('alert').filter({ hasText: 'That code is not right. Please try again.' }),
  ).toBeVisible();
  await tabTo(elsewhere, elsewhere.getByRole('button', { name: 'Use a recovery code' }));
  await elsewhere.keyboard.press('Enter');
  await expect(elsewhere.getByLabel('Recovery code')).toBeFocused();
  await elsewhere.keyboard.type(codes[0]?.toUpperCase() ?? '');
  await elsewhere.keyboard.press('Enter');
  await expect(elsewhere.getByRole('heading', { name: /^My Queue/ })).toBeVisible();

  await elsewhere.getByRole('button', { name: 'Sign Out' }).click();
  await password(elsewhere, admin);
  await tabTo(elsewhere, elsewhere.getByRole('button', { name: 'Back' }));
  await elsewhere.keyboard.press('Enter');
  await expect(elsewhere.getByLabel('Email address')).toBeVisible();
  await password(elsewhere, admin);
  // The code of the next step: all this may have taken less than 30 s, and each code works only once.
  await elsewhere.getByLabel('Code').fill(appCode(secret, 1));
  await elsewhere.keyboard.press('Enter');
  await expect(elsewhere.getByRole('heading', { name: /^My Queue/ })).toBeVisible();
});

test('[FACTOR-08] [FACTOR-12] [A11Y-14] an administrator sets up a passkey, signs in with it, adds an app, and cannot remove the last one', async ({
  page,
}) => {
  const admin = createAdmin();
  await endGrace(admin.email);
  await plugInKey(page);
  await password(page, admin, '/handler?next=%2Fadmin%2Fsecurity');
  await page.getByRole('button', { name: /^Passkey/ }).click();
  await expect(page.getByRole('heading', { name: 'Save your recovery codes' })).toBeVisible();
  await page.getByRole('button', { name: 'I’ve saved them' }).click();
  await expect(page).toHaveURL('/admin/dashboard');

  await page.goto('/handler');
  await page.getByRole('button', { name: 'Sign Out' }).click();
  await password(page, admin);
  await expect(page.getByRole('heading', { name: 'Use your passkey' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Use a passkey' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: /^My Queue/ })).toBeVisible();

  await page.goto('/admin/security');
  const passkeys = page.getByRole('region', { name: 'Passkeys' });
  await expect(passkeys.getByText(/Last used/)).toBeVisible();
  await expect(page.getByText('10 left')).toBeVisible();
  await passkeys.getByRole('button', { name: /^Rename/ }).click();
  await page.getByRole('textbox', { name: 'Name' }).fill('Desk');
  await page.getByRole('dialog').getByRole('button', { name: 'Rename' }).click();
  await expect(passkeys.getByText('Desk')).toBeVisible();
  await passkeys.getByRole('button', { name: 'Remove: Desk' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(
    page.getByText('You need a second factor. Add another one before you remove this one.'),
  ).toBeVisible();
  await page.getByRole('button', { name: 'Cancel' }).click();

  // An hour later the page asks for the password again before it shows the secret.
  await showOldSessions(admin);
  const app = page.getByRole('region', { name: 'Authenticator app' });
  await app.getByRole('button', { name: 'Set up' }).click();
  const again = page.getByRole('dialog', { name: 'Enter your password again' });
  await again.getByLabel('Password').fill('not the password');
  await page.keyboard.press('Enter');
  await expect(again.getByText('That password isn’t right.')).toBeVisible();
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toHaveCount(0);
  await again.getByLabel('Password').fill(admin.password);
  await page.keyboard.press('Enter');
  const secret = await secretOnShow(page);
  await page.getByLabel('Then enter the 6-digit code from the app').fill(appCode(secret));
  await page.keyboard.press('Enter');
  await expect(app.getByText(/^On since/)).toBeVisible();
  // The earlier recovery codes still work, so no new ones are shown.
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await passkeys.getByRole('button', { name: 'Remove: Desk' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await expect(passkeys.getByText('No passkey yet.')).toBeVisible();
});

test('[FACTOR-12] [A11Y-14] a handler turns a factor on and off from the console, and changes the password', async ({
  page,
  browser,
}) => {
  const handler = createHandler();
  const { page: elsewhere } = await newPerson(browser);
  await password(elsewhere, handler);
  await expect(elsewhere.getByRole('heading', { name: /^My Queue/ })).toBeVisible();
  await password(page, handler);
  await page.getByRole('button', { name: /^You and your settings/ }).click();
  await page.getByRole('menuitem', { name: 'Sign-in security' }).click();
  await expect(page.getByRole('heading', { name: 'Sign-in security' })).toBeVisible();
  const sessions = page.getByRole('region', { name: 'Where you’re signed in' }).getByRole('listitem');
  await expect(sessions).toHaveCount(2);

  const app = page.getByRole('region', { name: 'Authenticator app' });
  await app.getByRole('button', { name: 'Set up' }).click();
  await page.getByLabel('Then enter the 6-digit code from the app').fill(appCode(await secretOnShow(page)));
  await page.getByRole('button', { name: 'Turn on' }).click();
  await expect(page.getByRole('dialog', { name: 'Save your recovery codes' })).toBeVisible();
  await page.getByRole('button', { name: 'I’ve saved them' }).click();
  await expect(app.getByText(/^On since/)).toBeVisible();
  // Sessions without the factor are signed out.
  await expect(elsewhere.getByLabel('Email address')).toBeVisible();
  await expect(sessions).toHaveCount(1);
  await app.getByRole('button', { name: 'Turn off' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Turn off' }).click();
  await expect(app.getByText('Off', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Change password' }).click();
  const dialog = page.getByRole('dialog', { name: 'Change password' });
  await dialog.getByLabel('Current password').fill(handler.password);
  await dialog.getByLabel('New password').fill('another password of theirs');
  await page.keyboard.press('Enter');
  await expect(page.getByText('Password changed')).toBeVisible();
  await password(elsewhere, handler);
  await expect(elsewhere.getByText('Failed to sign in')).toBeVisible();
  await password(elsewhere, { ...handler, password: 'another password of theirs' });
  await expect(elsewhere.getByRole('heading', { name: /^My Queue/ })).toBeVisible();
  await page.getByRole('link', { name: 'Back to Queue' }).click();
  await expect(page.getByRole('heading', { name: /^My Queue/ })).toBeVisible();
});
