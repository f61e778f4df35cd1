import type { Page } from '@playwright/test';
import { CALLBACK_PATH } from '../../server/src/auth/singleSignOn.ts';
import { CLIENT, startProvider } from '../../server/test/oidcProvider.ts';
import { freePort } from '../../tools/freePorts.ts';
import { createHandler } from './accounts.ts';
import { ageSessions } from './admins.ts';
import { inDatabase } from './database.ts';
import { startGateway } from './ownInstallation.ts';
import { newPerson } from './people.ts';
import { expect, test } from './watched.ts';

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
      stranger.getByText('There is no account with your email address. Ask an administrator to add you.'),
    ).toBeVisible();
    await expect(stranger.getByLabel('Email address')).toBeVisible();
  } finally {
    await gateway.stop();
    await provider.stop();
  }
});
