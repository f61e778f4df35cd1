// The built documentation site (npm run site), in both themes.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import type { Page } from '@playwright/test';
import { fullSize } from '../../tools/fullSize.ts';
import { themeViolations } from '../product/accessibility.ts';
import { expect, test } from '../product/watched.ts';

const folder = join(import.meta.dirname, '../../tools/site/dist');
const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
};

type Theme = 'light' | 'dark';

/** One page of each kind: pictures, code, wide tables, a diagram. */
const SOME = ['index.html', 'about.html', 'architecture.html'];
const PAGES = fullSize(
  SOME,
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.html') && file !== '404.html',
  ),
);
const BOTH: Theme[] = ['light', 'dark'];
const SIZES = fullSize<[width: number, themes: Theme[]][]>(
  [
    [390, ['light']],
    [1280, ['dark']],
  ],
  [360, 390, 768, 1280, 1920].map((width) => [width, BOTH]),
);

let server: Server;
let address: string;

test.beforeAll(async () => {
  // In a folder, because the address of a project page on GitHub has one.
  server = createServer((request, response) => {
    const file = join(
      folder,
      new URL(request.url ?? '', 'http://localhost').pathname.replace(/^\/settee\//, ''),
    );
    if (!existsSync(file)) return response.writeHead(404).end();
    return response
      .writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' })
      .end(readFileSync(file));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/settee/`;
});
test.afterAll(() => server.close());

test.beforeEach(({ watcher }) => watcher.allow(address));

/** Opens a page and waits for its script: before that, keys and switches do nothing. */
async function open(page: Page, file: string): Promise<void> {
  await page.goto(address + file);
  await page.waitForFunction(() => '__vue_app__' in (document.querySelector('#app') ?? {}));
}

/** Files that are missing. */
function watch(page: Page): string[] {
  const wrong: string[] = [];
  page.on('response', (response) => {
    if (response.status() >= 400) wrong.push(`${response.status()} ${response.url()}`);
  });
  return wrong;
}

for (const file of PAGES) {
  test(`${file} passes axe in both themes and fits the window`, async ({ page }) => {
    const wrong = watch(page);
    await open(page, file);
    await expect(page.getByRole('main').getByRole('heading', { level: 1 })).toBeVisible();
    for (const [width, themes] of SIZES) {
      await page.setViewportSize({ width, height: 900 });
      for (const theme of themes) {
        expect(await themeViolations(page, theme), `${theme} at ${width} px`).toEqual([]);
      }
      const wider = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(wider, `${width} px`).toBe(0);
    }
    expect(wrong).toEqual([]);
  });
}

test('a reader finds a page with the keyboard only', async ({ page }) => {
  const wrong = watch(page);
  await open(page, 'index.html');
  await page.keyboard.press('Tab');
  const skip = page.getByRole('link', { name: 'Skip to content' });
  await expect(skip).toBeFocused();
  await expect(skip).toBeInViewport();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#VPContent$/);

  await page.keyboard.press('Control+k');
  const field = page.getByRole('searchbox');
  await expect(field).toBeFocused();
  await field.fill('restore a backup');
  await expect(page.getByRole('option').first()).toBeVisible();
  expect(await themeViolations(page, 'light')).toEqual([]);
  await press(page, 'ArrowDown', await placeOf(page, /backup\.html/));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/backup\.html/);
  await expect(page.getByRole('main').getByRole('heading', { level: 1, name: 'Backup' })).toBeVisible();

  await page.keyboard.press('Tab');
  await expect(page.locator(':focus')).toHaveCSS('outline-style', 'solid');
  expect(wrong).toEqual([]);
});

test('a reader chooses the theme, and the pictures follow', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await open(page, 'about.html');
  const shown = page.getByRole('img', { name: /^The console/ });
  await expect(shown).toHaveAttribute('src', /console-light/);
  await page.getByRole('switch').first().click();
  await expect(shown).toHaveAttribute('src', /console-dark/);
});

/** The place of a page among the first results of a search. */
async function placeOf(page: Page, address: RegExp): Promise<number> {
  const links = await page
    .getByRole('option')
    .evaluateAll((options) =>
      options.map((option) => (option.closest('a') ?? option.querySelector('a'))?.href ?? ''),
    );
  const place = links.slice(0, 5).findIndex((link) => address.test(link));
  expect(place, `among ${links.join(', ')}`).toBeGreaterThanOrEqual(0);
  return place;
}

async function press(page: Page, key: string, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) await page.keyboard.press(key);
}
