import type { Page, WebSocket } from '@playwright/test';
import { newPerson, signIn, startChat } from './people.ts';
import { expect, ownInstallationTest as test } from './watched.ts';

const OFFLINE = 'Typically replies in a few minutes';

/** Collects the page's sockets from now on. */
function socketsOf(page: Page): { opened: WebSocket[]; open(): WebSocket[] } {
  const opened: WebSocket[] = [];
  page.on('websocket', (socket) => opened.push(socket));
  return { opened, open: () => opened.filter((socket) => !socket.isClosed()) };
}

/** Hides the profile from the page: in the HTML, in the call and on the socket. */
async function keepProfileAway(page: Page): Promise<void> {
  await page.route('**/brand', (route) => route.abort());
  await page.routeWebSocket(/\/live$/, (socket) => socket.close());
  await page.route(/\/(i\/[^/]+|chat)$/, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/ data-brand="[^"]*"/, '');
    await route.fulfill({ response, body });
  });
}

test('[K-04] [R-06] [V-08] [PAGE-11] a change of the profile appears without a reload, before there is a chat', async ({
  page,
  installation,
}) => {
  installation.setBrand('--name', 'Mara Lindqvist', '--verified', 'true', '--avatar', '/favicon.svg');
  await page.goto(installation.invite());
  const name = page.getByRole('heading', { level: 1 });
  await expect(name).toHaveText(/^Mara Lindqvist/);
  await expect(page).toHaveTitle('Start a conversation · Mara Lindqvist');
  await expect(page.getByText('Replies come from Mara Lindqvist or their team.')).toBeVisible();
  await expect(name.getByRole('img')).toHaveAccessibleName('This is the official profile.');
  await expect(page.locator('header img')).toHaveJSProperty('complete', true);
  await page.evaluate(() => Object.assign(globalThis, { sameDocument: true }));

  installation.setBrand('--name', 'Mara L.', '--verified', 'false', '--avatar', '/nowhere.png');
  await expect(name).toHaveText('Mara L.');
  await expect(page).toHaveTitle('Start a conversation · Mara L.');
  await expect(name.getByRole('img')).toHaveCount(0);
  await expect(page.locator('header').getByText('ML', { exact: true })).toBeVisible();

  await page.getByRole('button', { name: 'Start chat' }).click();
  await expect(page.getByLabel('Display Name')).toBeVisible();
  installation.setBrand('--name', 'Mara Lindqvist', '--verified', 'true');
  await expect(name).toHaveText(/^Mara Lindqvist/);
  await expect(page).toHaveTitle('What should I call you? · Mara Lindqvist');
  expect(await page.evaluate(() => 'sameDocument' in globalThis)).toBe(true);
});

test('[K-04] [B-08] [PAGE-11] a handler who comes or leaves appears without a reload, over one socket', async ({
  page,
  browser,
  installation,
}) => {
  const sockets = socketsOf(page);
  await page.goto(installation.invite());
  await expect(page.getByText(OFFLINE)).toBeVisible();
  const { page: desk, context } = await newPerson(browser);
  await signIn(desk, installation.handler());
  const online = page.getByRole('status').filter({ hasText: 'Online' });
  await expect(online).toBeVisible();
  await expect(page.getByText(OFFLINE)).toHaveCount(0);
  await context.close();
  await expect(page.getByText(OFFLINE)).toBeVisible();
  expect(sockets.opened).toHaveLength(1);

  await page.getByRole('button', { name: 'Start chat' }).click();
  await page.getByLabel('Display Name').fill('Jonas');
  expect(sockets.open()).toHaveLength(1);
  await page.getByRole('button', { name: 'Start Chatting' }).click();
  await expect(page.getByText('Start the conversation')).toBeVisible();
  // The chat opens a new socket, and the first one is closed.
  await expect.poll(() => sockets.opened.length).toBe(2);
  await expect.poll(() => sockets.open().length).toBe(1);
  expect(sockets.opened[0]?.isClosed()).toBe(true);
  const { page: back } = await newPerson(browser);
  await signIn(back, installation.handler());
  await expect(page.getByRole('banner').getByText('Online')).toBeVisible();
});

test('[PAGE-11] a page that ends in an error opens no socket', async ({ page }) => {
  const sockets = socketsOf(page);
  const brand = page.waitForResponse('**/brand');
  await page.goto('/i/a0aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa');
  await expect(page.getByText('Invite not found')).toBeVisible();
  await brand;
  await expect(page).toHaveTitle(/./);
  expect(sockets.opened).toHaveLength(0);
});

test('[E-09] [E-10] without the profile the page shows the defaults and a connecting line', async ({
  page,
  installation,
}) => {
  await keepProfileAway(page);
  await page.goto(installation.invite());
  const name = page.getByRole('heading', { level: 1 });
  await expect(name).toHaveText(/^Settee/);
  await expect(name.getByRole('img')).toHaveAccessibleName('This is the official profile.');
  await expect(page).toHaveTitle('Start a conversation · Settee');
  await expect(page.getByText(OFFLINE)).toBeVisible();
  await expect(page.getByText('Online')).toHaveCount(0);
  await page.getByRole('button', { name: 'Start chat' }).click();
  await expect(page.getByRole('banner').getByText('Connecting...')).toBeVisible();
  await expect(page.getByText('Online')).toHaveCount(0);
});

test('[E-10] a lost connection resets the presence', async ({ page, browser, installation }) => {
  let cut = async (): Promise<void> => {};
  await page.routeWebSocket(/\/live$/, (socket) => {
    const server = socket.connectToServer();
    cut = async () => {
      await page.unrouteAll();
      await page.routeWebSocket(/\/live$/, (later) => later.close());
      await server.close();
      await socket.close();
    };
  });
  const { page: desk } = await newPerson(browser);
  await signIn(desk, installation.handler());
  await page.goto(installation.invite());
  await expect(page.getByText('Online')).toBeVisible();
  await cut();
  await expect(page.getByText(OFFLINE)).toBeVisible();
});

test('[L-04] listeners start, and the permission is read, after 100 ms', async ({ page, installation }) => {
  await page.addInitScript(() => {
    const times: Record<string, number> = {};
    const note = (what: string) => {
      times[what] ??= performance.now();
    };
    new MutationObserver(() => {
      if (document.querySelector('#app :is(main, header)')) note('app');
      if (document.querySelector('button[aria-haspopup=dialog]')) note('bell');
    }).observe(document, { childList: true, subtree: true });
    const { fetch, WebSocket, Notification } = globalThis;
    const permission = Object.getOwnPropertyDescriptor(Notification, 'permission');
    Object.assign(globalThis, {
      times,
      fetch: (input: RequestInfo, init?: RequestInit) => {
        if (input === '/brand') note('brand');
        return fetch(input, init);
      },
      WebSocket: class extends WebSocket {
        constructor(url: string) {
          note('socket');
          super(url);
        }
      },
    });
    Object.defineProperty(Notification, 'permission', {
      get() {
        note('permission');
        return permission?.get?.call(Notification);
      },
    });
  });
  const times = () => page.evaluate(() => (globalThis as unknown as { times: Record<string, number> }).times);

  await page.goto(installation.invite());
  await expect(page.getByText(OFFLINE).or(page.getByText('Online'))).toBeVisible();
  const { app = 0, brand = 0, socket = 0 } = await times();
  expect(app).toBeGreaterThan(0);
  // Slightly less than 100: the observer sees the page a little after the page's clock started.
  expect(brand - app).toBeGreaterThan(95);
  expect(socket - app).toBeGreaterThan(95);

  await startChat(page, installation.invite(), 'Jonas');
  await expect.poll(async () => (await times()).permission).toBeDefined();
  const { bell = 0, permission = 0 } = await times();
  expect(bell).toBeGreaterThan(0);
  expect(permission - bell).toBeGreaterThan(95);
});
