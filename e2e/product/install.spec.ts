import { chromiumLaunch } from '../chromium.ts';
import { createHandler, createInvite } from './accounts.ts';
import { enterConsole, newPerson, startChat } from './people.ts';
import { expect, test } from './watched.ts';

// Only the full Chromium can install a page.
test.use({ launchOptions: chromiumLaunch });

type Manifest = { id: string; start_url: string; name: string; display: string };

test('a chat can be installed and starts as this chat; the console as the console', async ({
  browser,
  baseURL,
}) => {
  const handler = createHandler();
  const invite = createInvite(handler.alias);
  const { page, context } = await newPerson(browser);
  const tools = await context.newCDPSession(page);
  const installed = async () => {
    // The page sets it after its first paint.
    await expect(page.locator('link[rel=manifest]')).toHaveAttribute('href', /\.webmanifest$/);
    const { url, errors, data } = await tools.send('Page.getAppManifest');
    expect(errors).toEqual([]);
    return { url, manifest: JSON.parse(data ?? '') as Manifest };
  };

  await startChat(page, invite, 'Tom');
  const chat = await installed();
  expect(chat.url).toBe(`${baseURL}${invite}/manifest.webmanifest`);
  expect(chat.manifest).toMatchObject({ id: invite, start_url: invite, display: 'standalone' });
  expect(chat.manifest.name).toBe(await page.title());
  // What Chromium itself reports as missing. A private window can never install.
  const { installabilityErrors } = await tools.send('Page.getInstallabilityErrors');
  expect(installabilityErrors.map(({ errorId }) => errorId)).toEqual(['in-incognito']);
  // This also holds for the page in the service worker's cache, which contains no token.
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated');
  await context.setOffline(true);
  await page.reload();
  await expect(page.locator('link[rel=manifest]')).toHaveAttribute('href', `${invite}/manifest.webmanifest`);
  await context.setOffline(false);

  await page.goto('/chat');
  expect((await installed()).manifest).toMatchObject({ id: '/chat', start_url: '/chat' });
  await enterConsole(page, handler, '/handler');
  expect((await installed()).manifest).toMatchObject({ id: '/handler', start_url: '/handler' });
});
