import type { Browser, BrowserContext, Page, WebSocketRoute } from '@playwright/test';
import { fullChromium } from '../chromium.ts';
import { createHandler, createInvite, type Handler } from './accounts.ts';
import { conversationOf, storedTexts } from './database.ts';
import { unsent } from './pages.ts';
import { bubbles, enterConsole, expectTexts, newPerson, send, startChat } from './people.ts';
import { alsoInFirefox, expect, test } from './watched.ts';

// Only the full Chromium has background sync.
test.use(fullChromium);

type Visitor = { page: Page; context: BrowserContext; invite: string; handler: Handler; network: Network };
type Network = { off(): Promise<void>; on(): Promise<void> };

/** Playwright's offline mode keeps open sockets alive; this closes them too. */
async function networkOf(context: BrowserContext): Promise<Network> {
  const sockets = new Set<WebSocketRoute>();
  await context.routeWebSocket('**/live', (socket) => {
    socket.connectToServer();
    sockets.add(socket);
  });
  return {
    async off() {
      await context.setOffline(true);
      for (const socket of sockets) await socket.close().catch(() => {});
      sockets.clear();
    },
    on: () => context.setOffline(false),
  };
}

/** A visitor with a stored first message and an active service worker. */
async function seatedVisitor(browser: Browser): Promise<Visitor> {
  const handler = createHandler();
  const invite = createInvite(handler.alias);
  const { page, context } = await newPerson(browser);
  const network = await networkOf(context);
  await startChat(page, invite, 'Tom');
  await send(page, 'zero');
  await expect(page.getByText('Sent')).toBeVisible();
  await workerReady(page);
  return { page, context, invite, handler, network };
}

async function workerReady(page: Page): Promise<void> {
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await expect.poll(() => page.evaluate(() => navigator.serviceWorker.controller?.state)).toBe('activated');
}

/** As fast as the composer allows: it accepts the next message when the last one is stored in the outbox. */
async function sendAll(page: Page, texts: string[]): Promise<void> {
  for (const text of texts) {
    await send(page, text);
    await expect(page.getByRole('button', { name: 'Send', exact: true })).toBeVisible();
  }
}

/** Each message is once and in order in the handler's console and in the database. */
async function expectArrived(
  browser: Browser,
  { invite, handler }: Pick<Visitor, 'invite' | 'handler'>,
  texts: string[],
): Promise<void> {
  const { page: desk } = await newPerson(browser);
  await enterConsole(desk, handler, `/handler/conversation/${await conversationOf(invite)}`);
  await expectTexts(desk, texts);
  expect(await storedTexts(invite)).toEqual(texts);
}

const words = ['one', 'two', 'three'];

test(
  '[MSG-12] [NET-24] text typed offline survives a reload without a network, then arrives once, in order',
  alsoInFirefox,
  async ({ browser }) => {
    const visitor = await seatedVisitor(browser);
    const { page, network } = visitor;
    await network.off();
    await sendAll(page, words);
    await expectTexts(page, ['zero', ...words]);
    await expect.poll(() => unsent(page)).toBe(words.length);

    await page.reload();
    await expectTexts(page, words);
    await expect(page.getByText('Connecting...')).toBeVisible();
    await expect(page.getByText('You’re offline. Messages will send when you’re back.')).toBeVisible();
    expect(await storedTexts(visitor.invite)).toEqual(['zero']);

    await network.on();
    await expectTexts(page, ['zero', ...words]);
    await expect(page.getByText('Sent')).toBeVisible();
    await expectArrived(browser, visitor, ['zero', ...words]);

    // Another link of the same browser has no stored chat.
    await network.off();
    await page.goto(createInvite(visitor.handler.alias));
    await expect(page.getByText('Failed to load invite')).toBeVisible();
  },
);

test('[MSG-12] unsent text of a closed tab is sent, in order, when the network returns', async ({
  browser,
}) => {
  const visitor = await seatedVisitor(browser);
  const { page, network } = visitor;
  await network.off();
  await sendAll(page, words);
  await expectTexts(page, ['zero', ...words]);
  await expect.poll(() => unsent(page)).toBe(words.length);
  await page.close();
  expect(await storedTexts(visitor.invite)).toEqual(['zero']);

  await network.on();
  await expectArrived(browser, visitor, ['zero', ...words]);
  expect(visitor.context.pages()).toEqual([]);
});

test('[NET-24] without a cached page the page comes from the network; later the cached page opens if the network does not answer within 3 s', async ({
  browser,
}) => {
  const { page, context } = await newPerson(browser);
  const invite = createInvite(createHandler().alias);
  const cachedPage = () =>
    page.evaluate(async () => (await caches.match('/i/shell'))?.headers.get('content-type'));
  // A worker that cannot fetch the page is installed anyway.
  await context.route('**/i/shell', (route) => route.abort());
  await startChat(page, invite, 'Tom');
  await workerReady(page);
  // The test cannot delay navigation preload.
  await page.evaluate(async () => (await navigator.serviceWorker.ready).navigationPreload.disable());
  expect(await cachedPage()).toBeUndefined();

  // It caches the next page.
  await page.goto(invite);
  await expect(page.getByPlaceholder('Message...')).toBeVisible();
  await expect.poll(cachedPage).toContain('text/html');

  await context.route('**/i/*', () => new Promise(() => {}));
  await page.goto(invite);
  await expect(page.getByPlaceholder('Message...')).toBeVisible();
});

test('[N-06] the service worker is registered 2 s after the start', async ({ page }) => {
  await page.addInitScript(() => {
    ServiceWorkerContainer.prototype.register = (script) => {
      document.documentElement.dataset.registered = String(script);
      return new Promise(() => {});
    };
  });
  await page.clock.install({ time: 0 });
  // A pause in the past is an error, so the time skips what a slow machine may need for this call.
  await page.clock.pauseAt(60_000);
  // The script of the page waits for that answer, but not long. Then it starts, with a request for the room.
  await page.route('**/checkInvite/**', () => {});
  const started = page.waitForRequest('**/assets/room-*.js');
  await page.goto(createInvite(createHandler().alias));
  await page.clock.runFor(300);
  await started;
  const html = page.locator('html');
  await page.clock.runFor(1_999);
  await expect(html).not.toHaveAttribute('data-registered');
  await page.clock.runFor(1);
  await expect(html).toHaveAttribute('data-registered', '/sw.js');
});

test('[NET-25] the service worker caches the page and its files, but nothing of a person', async ({
  page,
  context,
  watcher,
}) => {
  const handler = createHandler();
  const invite = createInvite(handler.alias);
  // This address has no script, so no worker starts.
  await page.goto('/icon-192.png');
  await page.evaluate(() =>
    caches.open('settee-shell-of-an-older-build').then((old) => old.put('/x', new Response())),
  );
  await startChat(page, invite, 'Tom Featherstone');

  // No other script can be registered.
  await workerReady(page);
  const refused = await page.evaluate(() =>
    navigator.serviceWorker.register('/assets/other.js').then(
      () => 'taken',
      (error: Error) => error.name,
    ),
  );
  expect(refused).toBe('TypeError');
  await watcher.waitForReports(page);
  for (const { kind } of watcher.take()) expect(kind).toBe('policy');

  await send(page, 'a secret of mine');
  await expect(page.getByText('Sent')).toBeVisible();
  // Reload once more: now the service worker handles the page, its files and all its calls.
  await page.reload();
  await expect(bubbles(page)).toHaveCount(1);
  const desk = await context.newPage();
  await enterConsole(desk, handler, '/handler');
  await expect(desk.getByRole('heading', { name: /^My Queue/ })).toBeVisible();

  const kept = await page.evaluate(async () => {
    const found = [];
    for (const name of await caches.keys()) {
      const cache = await caches.open(name);
      for (const request of await cache.keys()) {
        const response = await cache.match(request);
        const { pathname } = new URL(request.url);
        found.push({ name, pathname, from: response?.url ?? '', body: (await response?.text()) ?? '' });
      }
    }
    return found;
  });
  const loaded = await page.evaluate(() =>
    performance
      .getEntriesByType('resource')
      .map(({ name }) => new URL(name).pathname)
      .filter((path) => path.startsWith('/assets/')),
  );
  expect(new Set(kept.map(({ name }) => name)).size).toBe(1);
  const paths = kept.map(({ pathname }) => pathname);
  expect(paths.filter((path) => !path.startsWith('/assets/'))).toEqual(['/i/shell']);
  expect(paths).toEqual(expect.arrayContaining(loaded));
  expect(paths.filter((path) => path.includes('handler'))).toEqual([]);
  const conversation = await page.evaluate((key) => localStorage.getItem(key), `seat_${invite.slice(3)}`);
  expect(conversation).not.toBeNull();
  for (const hidden of [
    invite.slice(3),
    conversation ?? '',
    'Featherstone',
    'a secret of mine',
    'idToken":"',
  ])
    expect(JSON.stringify(kept)).not.toContain(hidden);
});

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
  await workerReady(page);
  await context.setOffline(true);
  await page.reload();
  await expect(page.locator('link[rel=manifest]')).toHaveAttribute('href', `${invite}/manifest.webmanifest`);
  await context.setOffline(false);

  await page.goto('/chat');
  expect((await installed()).manifest).toMatchObject({ id: '/chat', start_url: '/chat' });
  await enterConsole(page, handler, '/handler');
  expect((await installed()).manifest).toMatchObject({ id: '/handler', start_url: '/handler' });
});
