import type { Page } from '@playwright/test';
import { createHandler, createInvite } from './accounts.ts';
import { inviteState } from './database.ts';
import { hold } from './network.ts';
import { newPerson, startChat } from './people.ts';
import { alsoInFirefox, expect, test } from './watched.ts';

const handler = createHandler();
const WIDTHS = [320, 390, 1280] as const;

// It would serve the app from its cache, past the routes that this test blocks.
test.use({ serviceWorkers: 'block' });

const startButton = (page: Page) => page.getByRole('button', { name: 'Start chat' });

type Box = { x: number; y: number; width: number; height: number };

/** The position of an element, to a tenth of a pixel. */
async function boxOf(page: Page, selector: string): Promise<Box> {
  return page.evaluate((found) => {
    const box = document.querySelector(found)?.getBoundingClientRect();
    if (!box) throw new Error(`nothing is ${found}`);
    const round = (value: number) => Math.round(value * 10) / 10;
    return { x: round(box.x), y: round(box.y), width: round(box.width), height: round(box.height) };
  }, selector);
}

/** Avatar, name and seal, as preloader, loading view and page draw them, by width. */
async function boxesByWidth(page: Page, within: string): Promise<Record<number, Box[]>> {
  // The fonts load after the first paint.
  await expect(page.locator('html')).toHaveAttribute('data-painted', '');
  await page.evaluate(() => document.fonts.ready);
  const waiting = ['.waiting-avatar', '.waiting-name > span', '.waiting-seal'];
  const drawn = ['header [data-size]', 'h1 > span:first-child', 'h1 svg'];
  const parts = within === 'header' ? drawn : waiting.map((part) => `${within} ${part}`);
  const boxes: Record<number, Box[]> = {};
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 740 });
    boxes[width] = [];
    for (const part of parts) boxes[width].push(await boxOf(page, part));
  }
  return boxes;
}

/** Leaves out the app, so only the server's HTML is visible. If a script failed, the page would say so after 4 s. */
async function withoutApp(page: Page): Promise<void> {
  await page.route('**/assets/*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
}

/** The paths of the calls that change the invite, as they are requested. */
function changesBy(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (/seeInvite|claimInvite|attachInvite/.test(pathname)) asked.push(pathname);
  });
  return asked;
}

test('without script an invite shows the profile and says what it needs; an unknown address links home', async ({
  browser,
}) => {
  const { page } = await newPerson(browser, { javaScriptEnabled: false });
  await page.goto(createInvite(handler.alias));
  await expect(page).toHaveTitle('Settee');
  await expect(page.locator('.waiting-name')).toBeVisible();
  await expect(page.locator('.waiting-letters')).toHaveText('S');
  await expect(page.locator('.waiting-seal')).toBeVisible();
  await expect(page.locator('.no-script')).toHaveText(/^This chat needs JavaScript/);

  const response = await page.goto('/nowhere/at/all');
  expect(response?.status()).toBe(404);
  await expect(page.getByRole('heading', { name: 'Nobody’s sitting here' })).toBeVisible();
  await page.getByRole('link', { name: 'Go to Home' }).click();
  await expect(page).toHaveURL('/');
});

test('[V-01] [S-01] the first paint stays in place until Start chat appears, or the chat, at every width', async ({
  page,
}) => {
  const invite = createInvite(handler.alias);
  await withoutApp(page);
  await page.goto(invite);
  await expect(page.locator('.waiting-start')).toBeVisible();
  await expect(page.locator('.waiting-spinner')).toBeHidden();
  const first = await boxesByWidth(page, '#preloader');
  const start = await boxOf(page, '.waiting-start');
  await page.unroute('**/assets/*.js');

  const release = await hold(page, 'checkInvite/**');
  await page.goto(invite);
  await expect(page.locator('#preloader')).toHaveCount(0);
  await expect(page.getByRole('status')).toHaveText('Loading...');
  await expect(page.locator('main .waiting-spinner')).toBeVisible();
  await expect(startButton(page)).toHaveCount(0);
  expect(await boxesByWidth(page, 'main')).toEqual(first);
  await release();
  await expect(startButton(page)).toBeVisible();
  expect(await boxesByWidth(page, 'header')).toEqual(first);
  expect(await boxOf(page, 'main button')).toEqual(start);

  // A device with access sees the chat's header first.
  await page.goto('about:blank');
  await startChat(page, invite, 'Jonas');
  const drawn = await boxesByWidth(page, 'header');
  await withoutApp(page);
  await page.goto(invite);
  await expect(page.locator('.waiting-spinner')).toBeVisible();
  expect(await boxesByWidth(page, '#preloader')).toEqual(drawn);
  await page.goto(createInvite(handler.alias));
  await expect(page.locator('html')).not.toHaveAttribute('data-seat');
});

test('[L-03] the app mounts 100 ms after the start, and the preloader hides 200 ms later', async ({
  page,
}) => {
  const clock = page.clock;
  await clock.install({ time: 0 });
  // A pause in the past is an error, so the time skips what a slow machine may need for this call.
  await clock.pauseAt(60_000);
  // Keeps the loading view on screen.
  await page.route('**/checkInvite/**', () => {});
  await page.goto(createInvite(handler.alias));
  // The script waits for that answer, but not long. It starts with this request.
  const started = page.waitForRequest('**/assets/room-*.js');
  await clock.runFor(300);
  await started;
  const app = page.locator('#app > *');
  await expect(page.locator('#preloader')).toBeVisible();
  await clock.runFor(99);
  await expect(app).toHaveCount(0);
  await clock.runFor(1);
  await expect(app).toHaveCount(1);
  await clock.runFor(199);
  await expect(page.locator('#preloader')).toBeVisible();
  await expect(page.locator('#preloader[data-leaving]')).toHaveCount(0);
  await clock.runFor(1);
  await expect(page.locator('#preloader:not([data-leaving])')).toHaveCount(0);
  await expect(page.locator('#preloader')).toHaveCount(0);
});

test(
  'the theme is chosen in the menu, survives a reload and applies from the first paint, on every page',
  alsoInFirefox,
  async ({ page }) => {
    await page.emulateMedia({ colorScheme: 'light' });
    const invite = createInvite(handler.alias);
    await startChat(page, invite, 'Jonas');
    const paper = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await paper();
    await page.getByRole('button', { name: 'More' }).click();
    await expect(page.getByRole('menuitemradio', { name: 'System' })).toHaveAttribute('aria-checked', 'true');
    await page.getByRole('menuitemradio', { name: 'Dark' }).click();
    const dark = await paper();
    expect(dark).not.toBe(light);
    await page.reload();
    await expect(page.getByPlaceholder('Message...')).toBeVisible();
    expect(await paper()).toBe(dark);

    // Without any script file, only the HTML decides.
    await withoutApp(page);
    for (const path of [invite, '/', '/handler', '/nowhere', '/chat']) {
      await page.goto(path);
      expect(await paper(), path).toBe(dark);
    }
  },
);

test('[INVITE-01] a visit that presses nothing moves nothing, reports no violation and leaves the invite NEW', async ({
  page,
}) => {
  const invite = createInvite(handler.alias);
  const reported: string[] = [];
  page.on('console', (message) => reported.push(message.text()));
  const changes = changesBy(page);
  await page.addInitScript(() => {
    const shifts: PerformanceEntry[] = [];
    Object.assign(window, { shifts });
    new PerformanceObserver((list) => {
      // The text under the name changes with who is online, by an invisible amount.
      for (const entry of list.getEntries()) {
        if ((entry as PerformanceEntry & { value: number }).value >= 0.001) shifts.push(entry);
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
  await page.goto(invite, { waitUntil: 'networkidle' });
  await expect(startButton(page)).toBeVisible();
  await expect(page.locator('#preloader')).toHaveCount(0);
  await page.mouse.move(100, 100);
  await page.mouse.wheel(0, 2_000);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  const shifts = await page.evaluate(() => JSON.stringify((window as unknown as { shifts: unknown }).shifts));
  expect(shifts).toBe('[]');
  // On a slow machine the service worker registers while the page is still open. The test blocks it, which is not an
  // error.
  expect(reported.filter((text) => !text.startsWith('Service Worker registration blocked'))).toEqual([]);
  expect(changes).toEqual([]);
  expect(await inviteState(invite)).toBe('NEW');

  await startButton(page).click();
  await expect(page.getByLabel('Display Name')).toBeVisible();
  await expect.poll(() => inviteState(invite)).toBe('SEEN');
  expect(changes).toEqual(['/seeInvite']);
});

test('a tap on Start chat before the app has loaded is busy at once, and the chat starts once', async ({
  browser,
}) => {
  const { page } = await newPerson(browser, { hasTouch: true, viewport: { width: 412, height: 823 } });
  const changes = changesBy(page);
  const invite = createInvite(handler.alias);
  const release = await hold(page, 'assets/*.js');
  await page.goto(invite, { waitUntil: 'commit' });
  await startButton(page).tap();
  const busy = page.getByRole('button', { name: 'Starting chat...' });
  await expect(busy).toBeVisible();
  await busy.tap();
  await expect(page.locator('#app > *')).toHaveCount(0);
  expect(changes).toEqual([]);
  expect(await inviteState(invite)).toBe('NEW');

  await release();
  const name = page.getByLabel('Display Name');
  await expect(name).toBeFocused();
  await expect(page.locator('#preloader')).toHaveCount(0);
  await name.fill('Jonas');
  await page.getByRole('button', { name: 'Start Chatting' }).tap();
  await expect(page.getByPlaceholder('Message...')).toBeVisible();
  expect(changes).toEqual(['/seeInvite', '/claimInvite']);
});
