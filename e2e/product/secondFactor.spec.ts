import type { Page } from '@playwright/test';
import { CLIENT, startProvider } from '../../server/test/support/oidcProvider.ts';
import { CALLBACK_PATH } from '../../server/testing/installation.ts';
import { freePort } from '../../tools/freePorts.ts';
import { createHandler } from './accounts.ts';
import { ageSessions, appCode, createAdmin, endGrace } from './admins.ts';
import { inDatabase } from './database.ts';
import { startGateway } from './ownInstallation.ts';
import { tabTo } from './pages.ts';
import { type Account, fillSignIn, newPerson } from './people.ts';
import { expect, test } from './watched.ts';

const CODE_OF_APP = 'Then enter the 6-digit code from the app';
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });
const queue = (page: Page) => page.getByRole('heading', { name: /^My Queue/ });

async function enterPassword(page: Page, account: Account, path = '/handler'): Promise<void> {
  await page.goto(path);
  await fillSignIn(page, account);
}

async function secretOnShow(page: Page): Promise<string> {
  await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  return (await page.locator('code').innerText()).replaceAll(' ', '');
}

test('[FACTOR-10] [A11Y-14] [FACTOR-09] an administrator sets up an app by keyboard alone, saves the codes, and signs in with both', async ({
  page,
  context,
  browser,
}) => {
  const admin = createAdmin();
  await endGrace(admin.email);
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await enterPassword(page, admin, '/handler?next=%2Fadmin%2Faudit');
  await expect(page.getByRole('heading', { name: 'Set up your second factor' })).toBeVisible();
  await expect(page.getByRole('navigation')).toHaveCount(0);

  await tabTo(page, page.getByRole('button', { name: /^Authenticator app/ }));
  await page.keyboard.press('Enter');
  const steps = page.getByRole('heading', { level: 1 });
  await expect(steps).toBeFocused();
  const secret = await secretOnShow(page);
  // A phone that sets itself up cannot scan its own screen.
  await expect(page.getByRole('link', { name: 'Open in the app on this device' })).toHaveAttribute(
    'href',
    new RegExp(`^otpauth://totp/Settee.*[?&]secret=${secret}(?:&|$)`),
  );
  await tabTo(page, page.getByLabel(CODE_OF_APP));
  await page.keyboard.type('000000');
  await page.keyboard.press('Enter');
  await expect(page.getByRole('alert').filter({ hasText: 'Invalid code. Please try again.' })).toBeVisible();
  await page.getByLabel(CODE_OF_APP).fill('');
  const used = appCode(secret);
  await page.keyboard.type(used);
  await page.keyboard.press('Enter');

  await expect(page.getByRole('heading', { name: 'Save your recovery codes' })).toBeVisible();
  await expect(steps).toBeFocused();
  const codes = await page.getByRole('listitem').allInnerTexts();
  expect(new Set(codes).size).toBe(10);
  await tabTo(page, button(page, 'Copy'));
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(codes.join('\n'));
  await tabTo(page, button(page, 'I’ve saved them'));
  await page.keyboard.press('Enter');
  // The page they wanted, without another sign-in.
  await expect(page.getByRole('navigation', { name: 'Admin area' })).toBeAttached();
  await expect(page).toHaveURL('/admin/audit');

  const { page: elsewhere } = await newPerson(browser);
  await enterPassword(elsewhere, admin);
  await expect(elsewhere.getByRole('heading', { name: 'Enter the code from your app' })).toBeVisible();
  await expect(elsewhere.getByLabel('Code')).toBeFocused();
  await elsewhere.keyboard.type(used);
  await elsewhere.keyboard.press('Enter');
  const refused = elsewhere.getByRole('alert').filter({ hasText: 'That code is not right.' });
  await expect(refused).toBeVisible();
  await tabTo(elsewhere, button(elsewhere, 'Use a recovery code'));
  await elsewhere.keyboard.press('Enter');
  await expect(elsewhere.getByLabel('Recovery code')).toBeFocused();
  await elsewhere.keyboard.type(codes[0]?.toUpperCase() ?? '');
  await elsewhere.keyboard.press('Enter');
  await expect(queue(elsewhere)).toBeVisible();

  await button(elsewhere, 'Sign Out').click();
  await enterPassword(elsewhere, admin);
  // The code of the next step: all this may have taken less than 30 s, and each code works only once.
  await elsewhere.getByLabel('Code').fill(appCode(secret, 1));
  await elsewhere.keyboard.press('Enter');
  await expect(queue(elsewhere)).toBeVisible();
});

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

test('[FACTOR-08] [FACTOR-12] an administrator sets up a passkey, signs in with it, and replaces it by an app after the password', async ({
  page,
}) => {
  const admin = createAdmin();
  await endGrace(admin.email);
  await plugInKey(page);
  await enterPassword(page, admin, '/handler?next=%2Fadmin%2Fsecurity');
  await page.getByRole('button', { name: /^Passkey/ }).click();
  await expect(page.getByRole('heading', { name: 'Save your recovery codes' })).toBeVisible();
  await button(page, 'I’ve saved them').click();
  await expect(page).toHaveURL('/admin/dashboard');

  await page.goto('/handler');
  await button(page, 'Sign Out').click();
  await enterPassword(page, admin);
  await expect(button(page, 'Use a passkey')).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(queue(page)).toBeVisible();

  await page.goto('/admin/security');
  const passkeys = page.getByRole('region', { name: 'Passkeys' });
  await expect(passkeys.getByText(/Last used/)).toBeVisible();
  const removal = page.getByRole('dialog').getByRole('button', { name: 'Remove' });
  await passkeys.getByRole('button', { name: /^Remove/ }).click();
  await removal.click();
  await expect(
    page.getByText('You need a second factor. Add another one before you remove this one.'),
  ).toBeVisible();
  await button(page, 'Cancel').click();

  await ageSessions(admin.email);
  const app = page.getByRole('region', { name: 'Authenticator app' });
  await app.getByRole('button', { name: 'Set up' }).click();
  const again = page.getByRole('dialog', { name: 'Enter your password again' });
  await again.getByLabel('Password').fill('not the password');
  await page.keyboard.press('Enter');
  await expect(again.getByText('That password isn’t right.')).toBeVisible();
  await again.getByLabel('Password').fill(admin.password);
  await page.keyboard.press('Enter');
  await page.getByLabel(CODE_OF_APP).fill(appCode(await secretOnShow(page)));
  await page.keyboard.press('Enter');
  await expect(app.getByText(/^On since/)).toBeVisible();
  await passkeys.getByRole('button', { name: /^Remove/ }).click();
  await removal.click();
  await expect(passkeys.getByText('No passkey yet.')).toBeVisible();
});

const signIn = (page: Page) => page.getByRole('button', { name: 'Sign in with Example Login' }).click();
const continueAtProvider = (page: Page) => page.getByRole('button', { name: 'Continue as Ada' }).click();

test('[ACCOUNT-11] a handler signs in at the provider, and again to confirm a change; an unknown person reads why not', async ({
  browser,
  watcher,
}) => {
  const port = String(await freePort());
  const provider = await startProvider(`http://localhost:${port}${CALLBACK_PATH}`);
  const gateway = await startGateway({
    PORT: port,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: CLIENT.clientId,
    OIDC_CLIENT_SECRET: CLIENT.clientSecret,
    OIDC_NAME: 'Example Login',
  });
  try {
    for (const url of [provider.issuer, gateway.url]) watcher.allow(url);
    const { email } = createHandler();
    provider.behaviour.hasPage = true;
    provider.behaviour.claims = { email, email_verified: true };
    const { page } = await newPerson(browser, { baseURL: gateway.url });
    await page.goto('/handler/security');
    await signIn(page);
    await continueAtProvider(page);
    const setUp = page.getByRole('button', { name: 'Set up' });
    await expect(setUp).toBeVisible();
    expect(page.url()).toBe(`${gateway.url}/handler/security`);

    // The person never chose a password, and signed in a while ago.
    await inDatabase('update staff set password_hash = null where email = $1', [email]);
    await ageSessions(email);
    await setUp.click();
    await page.getByRole('button', { name: 'Sign in again' }).click();
    await continueAtProvider(page);
    await setUp.click();
    await expect(page.getByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();

    provider.behaviour.claims = { email: 'nobody@settee.example', email_verified: true };
    const { page: stranger } = await newPerson(browser, { baseURL: gateway.url });
    await stranger.goto('/handler');
    await signIn(stranger);
    await continueAtProvider(stranger);
    await expect(
      stranger.getByText('There is no account with your e-mail address. Ask an administrator to add you.'),
    ).toBeVisible();
    await expect(stranger.getByLabel('Email address')).toBeVisible();
  } finally {
    await gateway.stop();
    await provider.stop();
  }
});
