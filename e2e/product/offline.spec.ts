import type { Browser, BrowserContext, Page, WebSocketRoute } from '@playwright/test';
import { createHandler, createInvite, type Handler } from './accounts.ts';
import { revokeDevices, storedTexts } from './database.ts';
import { bubbles, expectTexts, newPerson, send, signIn, startChat } from './people.ts';
import { unsent } from './unsent.ts';
import { expect, test } from './watched.ts';

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
  await signIn(desk, handler);
  await desk.getByRole('link', { name: /Tom/ }).click();
  await expectTexts(desk, texts);
  expect(await storedTexts(invite)).toEqual(texts);
}

const words = ['one', 'two', 'three', 'four', 'five'];

test('[MSG-12] [NET-24] text typed offline survives a reload without a network, then arrives once, in order', async ({
  browser,
}) => {
  const visitor = await seatedVisitor(browser);
  const { page, network } = visitor;
  await network.off();
  await sendAll(page, words);
  await expectTexts(page, ['zero', ...words]);
  await expect.poll(() => unsent(page)).toBe(words.length);

  await page.reload();
  await expectTexts(page, words);
  await expect(page.getByText('Connecting...')).toBeVisible();
  await expect(page.getByText("You're offline. Messages will send when you're back.")).toBeVisible();
  expect(await storedTexts(visitor.invite)).toEqual(['zero']);

  await network.on();
  await expectTexts(page, ['zero', ...words]);
  await expect(page.getByText('Sent')).toBeVisible();
  await expectArrived(browser, visitor, ['zero', ...words]);
});

test('[MSG-13] unsent text of a closed tab is sent, in order, when the network returns', async ({
  browser,
}) => {
  const visitor = await seatedVisitor(browser);
  const { page, network } = visitor;
  await network.off();
  await sendAll(page, ['one', 'two', 'three']);
  await expectTexts(page, ['zero', 'one', 'two', 'three']);
  await expect.poll(() => unsent(page)).toBe(3);
  await page.close();
  expect(await storedTexts(visitor.invite)).toEqual(['zero']);

  await network.on();
  await expectArrived(browser, visitor, ['zero', 'one', 'two', 'three']);
  expect(visitor.context.pages()).toEqual([]);
});

test('[MSG-13] page and worker may send the same text at once: each message arrives once, in order', async ({
  browser,
}) => {
  const handler = createHandler();
  const visitor = { ...(await newPerson(browser)), invite: createInvite(handler.alias), handler };
  const { page, context } = visitor;
  const many = Array.from({ length: 20 }, (_, i) => `message ${i}`);
  // The page's connection is so slow that the service worker starts first. Then both send.
  let release = () => {};
  const workerSends = new Promise<void>((resolve) => {
    release = resolve;
  });
  let byWorker = 0;
  context.on('request', (request) => {
    if (!request.serviceWorker() || !request.url().endsWith('/messages')) return;
    byWorker += 1;
    if (byWorker === 3) release();
  });
  let bySocket = 0;
  await page.routeWebSocket('**/live', (socket) => {
    const server = socket.connectToServer();
    let line = Promise.resolve();
    socket.onMessage((frame) => {
      line = line.then(async () => {
        if (String(frame).includes('"send"')) {
          await workerSends;
          bySocket += 1;
        }
        server.send(frame);
      });
    });
  });
  await startChat(page, visitor.invite, 'Tom');
  await workerReady(page);
  await sendAll(page, many);
  await expectTexts(page, many);
  await expect(page.getByText('Sent')).toBeVisible();
  await expectArrived(browser, visitor, many);
  await expect.poll(() => unsent(page)).toBe(0);
  expect(byWorker).toBeGreaterThan(2);
  expect(bySocket).toBeGreaterThan(2);
});

test('[NET-24] without a network another link of the same browser shows that it could not be loaded', async ({
  browser,
}) => {
  const { page, network, handler } = await seatedVisitor(browser);
  await network.off();
  await page.goto(createInvite(handler.alias));
  await expect(page.getByText('Failed to load invite')).toBeVisible();
});

test('[NET-24] if the network does not answer within 3 s, the cached page opens', async ({ browser }) => {
  const { page, context } = await seatedVisitor(browser);
  // The test cannot delay navigation preload.
  await page.evaluate(async () => (await navigator.serviceWorker.ready).navigationPreload.disable());
  await context.route('**/i/*', () => new Promise(() => {}));
  const started = Date.now();
  await page.reload();
  expect(Date.now() - started).toBeGreaterThan(2_900);
  await expectTexts(page, ['zero']);
});

test('[NET-24] without a cached page, the page comes from the network', async ({ browser }) => {
  const { page } = await seatedVisitor(browser);
  await page.evaluate(async () => {
    for (const name of await caches.keys()) await caches.delete(name);
    await (await navigator.serviceWorker.ready).navigationPreload.disable();
  });
  await page.reload();
  await expectTexts(page, ['zero']);
});

test('[NET-24] a worker that could not fetch the page installs anyway, and caches the next one; never a manifest', async ({
  browser,
}) => {
  const { page, context } = await newPerson(browser);
  const invite = createInvite(createHandler().alias);
  await context.route('**/i/shell', (route) => route.abort());
  await page.goto(invite);
  await workerReady(page);
  const keptPage = () =>
    page.evaluate(async () => (await caches.match('/i/shell'))?.headers.get('content-type'));
  expect(await keptPage()).toBeUndefined();
  await page.goto(`${invite}/manifest.webmanifest`);
  await page.goto(invite);
  await expect.poll(keptPage).toContain('text/html');
  await page.goto(`${invite}/manifest.webmanifest`);
  expect(await keptPage()).toContain('text/html');
});

test('[NET-24] a removed device is told so when the network returns', async ({ browser }) => {
  const { page, network, invite } = await seatedVisitor(browser);
  await network.off();
  await revokeDevices(invite);
  await page.reload();
  await expect(page.getByPlaceholder('Message...')).toBeVisible();
  await network.on();
  await expect(page.getByText('This device no longer has access to this chat.')).toBeVisible();
});

test('[N-06] the service worker is registered 2 s after the start, and no other script can be', async ({
  page,
  watcher,
}) => {
  await page.addInitScript(() => {
    const { register } = ServiceWorkerContainer.prototype;
    ServiceWorkerContainer.prototype.register = function (...args) {
      document.documentElement.dataset.registered = `${String(args[0])} ${performance.now()}`;
      return register.apply(this, args);
    };
  });
  await page.goto(createInvite(createHandler().alias));
  await expect(page.locator('html')).toHaveAttribute('data-registered', /^\/sw\.js /);
  const [, at] = ((await page.locator('html').getAttribute('data-registered')) ?? '').split(' ');
  // The page's script starts between these two times.
  const [parsed, started] = await page.evaluate(() => {
    const [opening] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
    return [opening?.domInteractive ?? 0, opening?.domContentLoadedEventStart ?? 0];
  });
  expect(Number(at)).toBeGreaterThanOrEqual(parsed + 2_000);
  // Timers are late on a busy machine.
  expect(Number(at)).toBeLessThan(started + 10_000);

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
  const served = await page.request.get('/sw.js');
  expect(served.headers()).toMatchObject({
    'content-security-policy': "default-src 'none'; connect-src 'self'; img-src 'self'",
    'cache-control': 'no-cache',
  });
  expect((await page.request.get('/i/x')).headers()['cache-control']).not.toContain('max-age');
});

test('[NET-25] the worker caches the page and its files, and nothing of a person, a token or a call', async ({
  browser,
}) => {
  const handler = createHandler();
  const invite = createInvite(handler.alias);
  const { page, context } = await newPerson(browser);
  await page.goto(invite);
  await page.evaluate(() =>
    caches.open('settee-shell-of-an-older-build').then((old) => old.put('/x', new Response())),
  );
  await startChat(page, invite, 'Tom Featherstone');
  await workerReady(page);
  await send(page, 'a secret of mine');
  await expect(page.getByText('Sent')).toBeVisible();
  // Reload once more: now the service worker handles the page, its files and all its calls.
  await page.reload();
  await expect(bubbles(page)).toHaveCount(1);
  const { page: desk } = { page: await context.newPage() };
  await signIn(desk, handler);

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
  ]) {
    expect(JSON.stringify(kept)).not.toContain(hidden);
  }
});
