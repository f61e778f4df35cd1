import { readFileSync } from 'node:fs';
import type { Page } from '@playwright/test';
import { type Brand, defaultBrand } from '@settee/protocol/model/brand';
import { fillVisitorPage } from '@settee/protocol/render/visitorPage';
import { createHandler, createInvite } from './accounts.ts';
import { inviteState } from './database.ts';
import { newPerson, startChat } from './people.ts';
import { expect, test } from './watched.ts';

const handler = createHandler();
const WIDTHS = [320, 390, 1280];

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
  const waiting = ['.waiting-avatar', '.waiting-name > span', '.waiting-seal'];
  const drawn = ['header [data-size]', 'h1 > span:first-child', 'h1 svg'];
  const parts = within === 'header' ? drawn : waiting.map((part) => `${within} ${part}`);
  const boxes: Box[] = [];
  for (const part of parts) boxes.push(await boxOf(page, part));
  return boxes;
}

/** Blocks the app, so only the server's HTML is visible. */
async function withoutApp(page: Page): Promise<void> {
  await page.route('**/assets/*.js', (route) => route.abort());
}

/** Serves the page with another profile. The tests share one database and therefore one profile. */
async function serveBrand(page: Page, brand: Brand): Promise<void> {
  const template = readFileSync(`${import.meta.dirname}/../../web/dist/visitor.html`, 'utf8');
  await page.route('**/i/*', async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: fillVisitorPage(template, brand) });
  });
  await page.route('**/brand', (route) => route.fulfill({ json: { success: true, brand, online: false } }));
}

test('[PAGE-01] without script the page shows the profile, and says what it needs', async ({ browser }) => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(createInvite(handler.alias));
  await expect(page).toHaveTitle('Settee');
  await expect(page.locator('.waiting-name')).toBeVisible();
  await expect(page.locator('.waiting-letters')).toHaveText('S');
  await expect(page.locator('.waiting-seal')).toBeVisible();
  await expect(page.locator('.waiting-spinner')).toBeHidden();
  await expect(page.locator('.no-script')).toHaveText(/^This chat needs JavaScript/);
  await context.close();
});

for (const width of WIDTHS) {
  test(`[PAGE-01] [V-01] at ${width} px, the first paint stays in place until Start chat appears`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 740 });
    const invite = createInvite(handler.alias);
    await withoutApp(page);
    await page.goto(invite);
    await page.evaluate(() => document.fonts.ready);
    await expect(page.locator('.waiting-spinner')).toBeVisible();
    const first = await profileBoxes(page, '#preloader');
    await page.unroute('**/assets/*.js');

    let release = () => {};
    const held = new Promise<void>((resolve) => (release = resolve));
    await page.route('**/checkInvite/**', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(invite);
    await expect(page.locator('#preloader')).toHaveCount(0);
    await expect(page.getByRole('status')).toHaveText('Loading...');
    await expect(page.locator('main .waiting-spinner')).toBeVisible();
    expect(await profileBoxes(page, 'main')).toEqual(first);

    release();
    await expect(page.getByRole('button', { name: 'Start chat' })).toBeVisible();
    await page.evaluate(() => document.fonts.ready);
    expect(await profileBoxes(page, 'header')).toEqual(first);
  });
}

for (const width of WIDTHS) {
  test(`[PAGE-01] at ${width} px, a device with access sees the chat’s header first, and it stays`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height: 740 });
    const invite = createInvite(handler.alias);
    await startChat(page, invite, 'Jonas');
    // The continue code is above the header only on the first visit.
    await page.getByRole('button', { name: 'Dismiss' }).click();
    await expect(page.getByRole('button', { name: 'Dismiss' })).toHaveCount(0);
    await page.evaluate(() => document.fonts.ready);
    const chat = await profileBoxes(page, 'header');
    expect(chat[0]).toMatchObject({ width: 44, height: 44 });
    await withoutApp(page);
    await page.goto(invite);
    await page.evaluate(() => document.fonts.ready);
    expect(await profileBoxes(page, '#preloader')).toEqual(chat);
    await expect(page.locator('.waiting-spinner')).toBeVisible();
  });
}

test('[PAGE-01] a device with access is recognised by any of three marks, for this token only', async ({
  browser,
}) => {
  const invite = createInvite(handler.alias);
  const token = invite.slice('/i/'.length);
  for (const mark of ['continue_code_', 'first_session_', 'seat_']) {
    const { page } = await newPerson(browser);
    await withoutApp(page);
    await page.goto(invite);
    await expect(page.locator('html')).not.toHaveAttribute('data-seat');
    await page.evaluate((key) => localStorage.setItem(key, 'x'), mark + token);
    await page.reload();
    await expect(page.locator('html')).toHaveAttribute('data-seat', '');
    await page.goto(`${invite.slice(0, -1)}${invite.endsWith('A') ? 'B' : 'A'}`);
    await expect(page.locator('html')).not.toHaveAttribute('data-seat');
    await page.context().close();
  }
});

test('[PAGE-01] the chosen theme shows from the first paint, on every page', async ({ page }) => {
  await withoutApp(page);
  const invite = createInvite(handler.alias);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto(invite);
  for (const [stored, theme] of [
    ['dark', 'dark'],
    ['light', 'light'],
    ['purple', null],
  ] as const) {
    await page.evaluate((value) => localStorage.setItem('theme', value), stored);
    for (const path of [invite, '/', '/handler', '/nowhere', '/chat']) {
      await page.goto(path);
      expect(await page.evaluate(() => document.documentElement.dataset.theme ?? null), path).toBe(theme);
      const paper = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
      expect(paper, path).toBe(theme === 'dark' ? 'rgb(22, 16, 20)' : 'rgb(251, 247, 242)');
    }
  }
});

test('[PAGE-01] where storage is forbidden, the page loads without it', async ({ page }) => {
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(error.message));
  await page.addInitScript(() => {
    Object.defineProperty(window, 'localStorage', {
      get() {
        throw new DOMException('denied', 'SecurityError');
      },
    });
  });
  await withoutApp(page);
  await page.goto(createInvite(handler.alias));
  await expect(page.locator('.waiting-name')).toBeVisible();
  expect(problems).toEqual([]);
});

test('[PAGE-01] the avatar shows when it loads, and initials when it does not', async ({ page }) => {
  const brand = { ...defaultBrand, displayName: 'Mara Lindqvist', verified: false };
  const invite = createInvite(handler.alias);
  await withoutApp(page);
  await serveBrand(page, brand);
  await page.goto(invite);
  await page.evaluate(() => document.fonts.ready);
  const letters = await middleOf(page, '.waiting-avatar');

  await serveBrand(page, { ...brand, avatarUrl: '/avatar.svg' });
  const square = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><path d="M0 0h9v9H0z"/></svg>';
  await page.route('**/avatar.svg', (route) => route.fulfill({ contentType: 'image/svg+xml', body: square }));
  await page.goto(invite);
  expect((await middleOf(page, '.waiting-avatar')).equals(letters)).toBe(false);
  await expect(page.locator('.waiting-seal')).toHaveCount(0);

  await page.route('**/avatar.svg', (route) => route.fulfill({ status: 404 }));
  await page.goto(invite);
  await page.evaluate(() => document.fonts.ready);
  await expect.poll(async () => (await middleOf(page, '.waiting-avatar')).equals(letters)).toBe(true);
});

test('[L-03] the app mounts 100 ms after the start, and the preloader hides 200 ms later', async ({
  page,
}) => {
  const clock = page.clock;
  await clock.install({ time: 0 });
  await clock.pauseAt(1_000);
  // Keeps the loading view on screen.
  await page.route('**/checkInvite/**', () => {});
  await page.goto(createInvite(handler.alias));
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

test('[PAGE-02] nothing moves after the first paint', async ({ page }) => {
  await page.addInitScript(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    const observe = (type: string, note: (entry: PerformanceEntry) => string) =>
      new PerformanceObserver((list) => void seen.push(...list.getEntries().map(note))).observe({
        type,
        buffered: true,
      });
    // The text under the name changes with who is online, by an invisible amount.
    observe('layout-shift', (entry) =>
      (entry as PerformanceEntry & { value: number }).value < 0.001 ? '' : JSON.stringify(entry),
    );
  });
  await page.goto(createInvite(handler.alias));
  await expect(page.getByRole('button', { name: 'Start chat' })).toBeVisible();
  await expect(page.locator('#preloader')).toHaveCount(0);
  const seen = await page.evaluate(() => (window as unknown as { seen: string[] }).seen);
  expect(seen.filter((entry) => entry !== '')).toEqual([]);
  expect(await page.evaluate(() => PerformanceObserver.supportedEntryTypes)).toContain('layout-shift');
});

test('[INVITE-01] a browser that renders the whole page, and presses nothing, leaves the invite NEW', async ({
  browser,
}) => {
  const invite = createInvite(handler.alias);
  const { page } = await newPerson(browser);
  await page.goto(invite, { waitUntil: 'networkidle' });
  await expect(page.getByRole('button', { name: 'Start chat' })).toBeVisible();
  await page.mouse.move(100, 100);
  await page.mouse.wheel(0, 2_000);
  // An absence has no event to wait for.
  await page.waitForTimeout(3_000);
  expect(await inviteState(invite)).toBe('NEW');
  await page.getByRole('button', { name: 'Start chat' }).click();
  await expect(page.getByLabel('Display Name')).toBeVisible();
  await expect.poll(() => inviteState(invite)).toBe('SEEN');
});

test('[PAGE-06] the browser reports no violation', async ({ page }) => {
  const said: string[] = [];
  page.on('console', (message) => said.push(message.text()));
  page.on('pageerror', (error) => said.push(error.message));
  for (const path of [createInvite(handler.alias), '/']) {
    await page.goto(path, { waitUntil: 'networkidle' });
    await expect(page.getByRole('button').first()).toBeVisible();
  }
  // On a slow machine the service worker registers while the page is still open. The test blocks it, which is not an
  // error.
  expect(said.filter((words) => !words.startsWith('Service Worker registration blocked'))).toEqual([]);
});

for (const javaScriptEnabled of [true, false]) {
  test(`[PAGE-07] an unknown page links home, ${javaScriptEnabled ? 'with' : 'without'} script`, async ({
    browser,
  }) => {
    const context = await browser.newContext({ javaScriptEnabled });
    const page = await context.newPage();
    const response = await page.goto('/nowhere/at/all');
    expect(response?.status()).toBe(404);
    await expect(page.getByRole('heading', { name: "Nobody's sitting here" })).toBeVisible();
    await expect(page.getByText("This page doesn't exist.")).toBeVisible();
    await page.getByRole('link', { name: 'Go to Home' }).click();
    await expect(page).toHaveURL('/');
    await context.close();
  });
}

/** A screenshot of the element, without its edge. */
async function middleOf(page: Page, selector: string): Promise<Buffer> {
  const { x, y } = await boxOf(page, selector);
  return page.screenshot({ clip: { x: x + 30, y: y + 30, width: 44, height: 44 } });
}
