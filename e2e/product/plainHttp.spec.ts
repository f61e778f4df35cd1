import { chromium } from '@playwright/test';
import { chromiumLaunch } from '../chromium.ts';
import { createHandler, createInvite } from './accounts.ts';
import { startGateway } from './ownInstallation.ts';
import { bubbles, newPerson, send, signInWithForm, startChatWithForms } from './people.ts';
import { expect, test } from './watched.ts';

test('over plain http, on a name other than localhost, the chat works, and the bell says what needs https', async () => {
  const host = 'settee.lan';
  const args = [...chromiumLaunch.args, `--host-resolver-rules=MAP ${host} 127.0.0.1`];
  const [gateway, browser] = await Promise.all([
    startGateway({}, host),
    chromium.launch({ ...chromiumLaunch, args }),
  ]);
  const origin = gateway.url.replace('localhost', host);
  try {
    const handler = createHandler();
    const { page: visitor } = await newPerson(browser, { baseURL: origin });
    const { page: desk } = await newPerson(browser, { baseURL: origin });
    await startChatWithForms(visitor, createInvite(handler.alias), 'Ida');
    expect(await visitor.evaluate(() => isSecureContext)).toBe(false);
    await send(visitor, 'over plain http');
    await expect(visitor.getByText('Sent')).toBeVisible();
    await signInWithForm(desk, handler);
    await desk.getByRole('link', { name: /Ida/ }).click();
    await expect(bubbles(desk, 'in')).toHaveText(/over plain http/);
    await send(desk, 'and back');
    await expect(bubbles(visitor, 'in')).toHaveText(/and back/);
    await visitor.reload();
    await expect(bubbles(visitor)).toHaveCount(2);
    await visitor.getByRole('button', { name: /^Notifications/ }).click();
    await expect(
      visitor.getByText('Notifications need a secure address. Open this page over https.'),
    ).toBeVisible();
  } finally {
    await browser.close();
    await gateway.stop();
  }
});
