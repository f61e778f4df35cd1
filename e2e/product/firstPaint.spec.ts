import { readFileSync } from 'node:fs';
import type { Browser, Page } from '@playwright/test';
import { type Brand, defaultBrand } from '@settee/protocol/model/brand';
import { translatedPage } from '@settee/protocol/render/translatedPage';
import { fillVisitorPage } from '@settee/protocol/render/visitorPage';
import { landingTexts } from '@settee/protocol/texts/landingTexts';
import { createHandler, createInvite } from './accounts.ts';
import { inviteState } from './database.ts';
import { hold } from './network.ts';
import { newPerson, startChat } from './people.ts';
import { alsoInFirefox, expect, test } from './watched.ts';

const handler = createHandler();
const WIDTHS = [320, 390, 1280] as const;

// It would serve the app from its cache, past the routes that this test blocks.
test.use({ serviceWorkers: 'block' });

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

/** Avatar, name and seal, as preloader, loading view and page draw them. */
async function profileBoxes(page: Page, within: string): Promise<Box[]> {
  // The fonts load after the first paint.
  await expect(page.locator('html')).toHaveAttribute('data-painted', '');
  await page.evaluate(() => document.fonts.ready);
  const waiting = ['.waiting-avatar', '.waiting-name > span', '.waiting-seal'];
  const drawn = ['header [data-size]', 'h1 > span:first-child', 'h1 svg'];
  const parts = within === 'header' ? drawn : waiting.map((part) => `${within} ${part}`);
  const boxes: Box[] = [];
  for (const part of parts) boxes.push(await boxOf(page, part));
  return boxes;
}

/** The same at every width, by width. */
async function boxesByWidth(page: Page, within: string): Promise<Record<number, Box[]>> {
  const boxes: Record<number, Box[]> = {};
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 740 });
    boxes[width] = await profileBoxes(page, within);
  }
  return boxes;
}

/** Leaves out the app, so only the server's HTML is visible. If a script failed, the page would say so after 4 s. */
async function withoutApp(page: Page): Promise<void> {
  await page.route('**/assets/*.js', (route) => route.fulfill({ contentType: 'text/javascript', body: '' }));
}

/** Serves the page with another profile. The tests share one database and therefore one profile. */
async function serveBrand(page: Page, brand: Brand): Promise<void> {
  const built = readFileSync(`${import.meta.dirname}/../../web/dist/visitor.html`, 'utf8');
  const template = translatedPage(built, 'en', 'visitor');
  await page.route('**/i/*', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: fillVisitorPage(template, brand) });
  });
  await page.route('**/brand', (route) => route.fulfill({ json: { success: true, brand, online: false } }));
}

test('without script an invite shows the profile and says what it needs; an unknown address links home, with and without script', async ({
  browser,
}) => {
  for (const javaScriptEnabled of [false, true]) {
    const { page, context } = await newPerson(browser, { javaScriptEnabled });
    if (!javaScriptEnabled) {
      await page.goto(createInvite(handler.alias));
      await expect(page).toHaveTitle('Settee');
      await expect(page.locator('.waiting-name')).toBeVisible();
      await expect(page.locator('.waiting-letters')).toHaveText('S');
      await expect(page.locator('.waiting-seal')).toBeVisible();
      await expect(page.locator('.waiting-spinner')).toBeHidden();
      await expect(page.locator('.no-script')).toHaveText(/^This chat needs JavaScript/);
    }
    const response = await page.goto('/nowhere/at/all');
    expect(response?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: "Nobody's sitting here" })).toBeVisible();
    await expect(page.getByText("This page doesn't exist.")).toBeVisible();
    await page.getByRole('link', { name: 'Go to Home' }).click();
    await expect(page).toHaveURL('/');
    await expect(page.getByRole('heading', { name: landingTexts.landingTitle })).toBeVisible();
    for (const path of ['/nowhere', '/i/', '/admins', '/setup/x']) {
      const answer = await page.request.get(path, { headers: { accept: 'text/html' } });
      expect(answer.status(), path).toBe(404);
      expect(await answer.text(), path).toContain('Nobody');
    }
    await context.close();
  }
});

test('[V-01] [S-01] the first paint stays in place until Start chat appears, at every width, with an avatar or initials', async ({
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
  await expect(page.getByRole('button', { name: 'Start chat' })).toHaveCount(0);
  expect(await boxesByWidth(page, 'main')).toEqual(first);
  await release();
  await expect(page.getByRole('button', { name: 'Start chat' })).toBeVisible();
  expect(await boxesByWidth(page, 'header')).toEqual(first);
  expect(await boxOf(page, 'main button')).toEqual(start);

  const brand = { ...defaultBrand, displayName: 'Mara Lindqvist', verified: false };
  await withoutApp(page);
  await serveBrand(page, brand);
  await page.goto(invite);
  const letters = await middleOf(page, '.waiting-avatar');

  await serveBrand(page, { ...brand, avatarUrl: '/avatar.svg' });
  const square = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9H0z"/></svg>';
  await page.route('**/avatar.svg', (route) => route.fulfill({ contentType: 'image/svg+xml', body: square }));
  await page.goto(invite);
  await expect.poll(async () => (await middleOf(page, '.waiting-avatar')).equals(letters)).toBe(false);
  await expect(page.locator('.waiting-seal')).toHaveCount(0);

  await page.route('**/avatar.svg', (route) => route.fulfill({ status: 404 }));
  await page.goto(invite);
  await expect.poll(async () => (await middleOf(page, '.waiting-avatar')).equals(letters)).toBe(true);
});

test('a device with access sees the chat’s header first, and it stays; any of three marks gives it away, for this token only', async ({
  page,
}) => {
  const invite = createInvite(handler.alias);
  const token = invite.slice('/i/'.length);
  await startChat(page, invite, 'Jonas');
  const drawn = await boxesByWidth(page, 'header');
  expect(drawn[WIDTHS[0]]?.[0]).toMatchObject({ width: 44, height: 44 });
  await withoutApp(page);
  await page.goto(invite);
  await expect(page.locator('.waiting-spinner')).toBeVisible();
  expect(await boxesByWidth(page, '#preloader')).toEqual(drawn);

  const seat = page.locator('html');
  for (const mark of [null, 'continue_code_', 'first_session_', 'seat_']) {
    await page.evaluate(
      (key) => {
        localStorage.clear();
        if (key) localStorage.setItem(key, 'x');
      },
      mark && mark + token,
    );
    await page.reload();
    if (mark) await expect(seat, mark).toHaveAttribute('data-seat', '');
    else await expect(seat).not.toHaveAttribute('data-seat');
  }
  await page.goto(`${invite.slice(0, -1)}${invite.endsWith('A') ? 'B' : 'A'}`);
  await expect(seat).not.toHaveAttribute('data-seat');
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
  const leaving = page.locator('#preloader[data-leaving]');
  await expect(page.locator('#preloader')).toBeVisible();
  await clock.runFor(99);
  await expect(app).toHaveCount(0);
  await clock.runFor(1);
  await expect(app).toHaveCount(1);
  // Its spinner is in phase with the preloader's, so the cross-fade is invisible.
  const starts = () => page.evaluate(() => document.getAnimations().map(({ startTime }) => startTime));
  await expect
    .poll(async () => {
      const [first, second, ...others] = await starts();
      return first !== null && first === second && others.length === 0;
    })
    .toBe(true);
  await clock.runFor(199);
  await expect(page.locator('#preloader')).toBeVisible();
  await expect(leaving).toHaveCount(0);
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

    // Without any script file, only the HTML decides.
    await withoutApp(page);
    await page.reload({ waitUntil: 'commit' });
    await expect.poll(paper).toBe(dark);
    await page.unroute('**/assets/*.js');
    await page.reload();
    await expect(page.getByPlaceholder('Message...')).toBeVisible();
    expect(await paper()).toBe(dark);
    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitemradio', { name: 'System' }).click();
    expect(await paper()).toBe(light);

    await withoutApp(page);
    const chosen = () => page.evaluate(() => document.documentElement.dataset.theme ?? null);
    await page.evaluate(() => localStorage.setItem('theme', 'dark'));
    for (const path of [invite, '/', '/handler', '/nowhere', '/chat']) {
      await page.goto(path);
      expect([await chosen(), await paper()], path).toEqual(['dark', 'rgb(22, 16, 20)']);
    }
    for (const [stored, theme] of [
      ['light', 'light'],
      ['purple', null],
    ] as const) {
      await page.evaluate((value) => localStorage.setItem('theme', value), stored);
      await page.goto(invite);
      expect([await chosen(), await paper()], stored).toEqual([theme, 'rgb(251, 247, 242)']);
    }
  },
);

test('[INVITE-01] [PAGE-06] a visit that presses nothing moves nothing, reports no violation and leaves the invite NEW', async ({
  browser,
}) => {
  const invite = createInvite(handler.alias);
  const { page } = await newPerson(browser);
  const reported: string[] = [];
  const asked: string[] = [];
  page.on('console', (message) => reported.push(message.text()));
  page.on('pageerror', (error) => reported.push(error.message));
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
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
  await page.goto('/', { waitUntil: 'networkidle' });
  await expect(page.getByRole('button').first()).toBeVisible();
  await page.goto(invite, { waitUntil: 'networkidle' });
  await expect(page.getByRole('button', { name: 'Start chat' })).toBeVisible();
  await expect(page.locator('#preloader')).toHaveCount(0);
  await page.mouse.move(100, 100);
  await page.mouse.wheel(0, 2_000);
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  expect(await page.evaluate(() => PerformanceObserver.supportedEntryTypes)).toContain('layout-shift');
  const shifts = await page.evaluate(() => JSON.stringify((window as unknown as { shifts: unknown }).shifts));
  expect(shifts).toBe('[]');
  // On a slow machine the service worker registers while the page is still open. The test blocks it, which is not an
  // error.
  expect(reported.filter((text) => !text.startsWith('Service Worker registration blocked'))).toEqual([]);
  expect(asked.filter((path) => /seeInvite|claimInvite|attachInvite/.test(path))).toEqual([]);
  expect(await inviteState(invite)).toBe('NEW');

  await page.getByRole('button', { name: 'Start chat' }).click();
  await expect(page.getByLabel('Display Name')).toBeVisible();
  await expect.poll(() => inviteState(invite)).toBe('SEEN');
  expect(asked.filter((path) => /seeInvite|claimInvite|attachInvite/.test(path))).toHaveLength(1);
});

/** The class or name of the element that was the largest paint. */
async function largestPaint(browser: Browser, path: string, done: string): Promise<string> {
  const { page, context } = await newPerson(browser, { viewport: { width: 412, height: 823 } });
  await page.addInitScript(() => {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const { element } = entry as PerformanceEntry & { element: Element | null };
        Object.assign(window, { largest: element?.className || element?.localName });
      }
    }).observe({ type: 'largest-contentful-paint', buffered: true });
  });
  await page.goto(path);
  await expect(page.locator(done)).toBeVisible();
  await page.waitForFunction(() => 'largest' in window);
  // The fonts load after the first paint.
  await expect(page.locator('html')).toHaveAttribute('data-painted', '');
  await expect(page.locator('#preloader')).toHaveCount(0);
  await page.evaluate(() => document.fonts.ready);
  const largest = await page.evaluate(() => (window as unknown as { largest: string }).largest);
  await context.close();
  return largest;
}

test('the largest paint is text of the HTML: neither the app nor the fonts paint anything larger', async ({
  browser,
}) => {
  expect(await largestPaint(browser, createInvite(handler.alias), 'main button')).toBe('waiting-heading');
  expect(await largestPaint(browser, '/', '#host')).toBe('h1');
});

/** A screenshot of the element, without its edge. */
async function middleOf(page: Page, selector: string): Promise<Buffer> {
  await expect(page.locator('html')).toHaveAttribute('data-painted', '');
  await page.evaluate(() => document.fonts.ready);
  const { x, y } = await boxOf(page, selector);
  return page.screenshot({ clip: { x: x + 30, y: y + 30, width: 44, height: 44 } });
}
