import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Browser, Page } from '@playwright/test';
import type axe from 'axe-core';
import { layoutProblems, settled } from '../gallery/layout.ts';
import type { Desk, State } from '../gallery/stage.ts';
import { expect, test, type Watcher } from './watched.ts';

/** As text, because it runs in the page. */
export const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The dark theme changes only colours. After a full check of the light theme, these rules are enough for it. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * What axe reports about the page, one line per violation; with `rules`, only for these. axe is injected once per page
 * and describes only violations: describing everything that passes took most of the time.
 */
async function violations(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axeSource);
  return page.evaluate(runAxe, rules);
}

/** Runs in a page that has `axeSource`. */
export async function runAxe(only?: string[]): Promise<string[]> {
  const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
  const found = await run(document, {
    resultTypes: ['violations'],
    ...(only && { runOnly: { type: 'rule', values: only } }),
  });
  return found.violations.map(({ id, nodes: [first] }) => `${id}: ${first?.html} ${first?.failureSummary}`);
}

/** What axe reports about the page after it has settled in this theme: all rules in light, those of colours in dark. */
export async function themeViolations(page: Page, colorScheme: 'light' | 'dark'): Promise<string[]> {
  await withoutTransitions(page);
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await settled(page);
  return violations(page, colorScheme === 'dark' ? COLOUR_RULES : undefined);
}

/** Colours in the middle of a theme transition do not count: only the test changes the theme. */
async function withoutTransitions(page: Page): Promise<void> {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('*, *::before, *::after { transition: none !important }');
    document.adoptedStyleSheets = [sheet];
  });
}

/** Same settings as the gallery. Neither changes what axe reads, and both cost time. */
export const galleryOptions = {
  serviceWorkers: 'block',
  contextOptions: { reducedMotion: 'reduce' },
} as const;

const themes = ['light', 'dark'] as const;
const widths = [360, 1280];
/** The console also has a two-pane layout, between phone and desktop. */
const consoleWidths = [360, 768, 1280];

/** Screens with buttons that open something over the page. */
const withOpeners = [
  'chat',
  'console-queue-busy',
  'console-conversation',
  'admin-dashboard',
  'admin-conversations',
  'admin-invites',
  'handlers',
  'admin-profile',
];

/** iOS zooms into a smaller field on focus and does not zoom back. */
const SMALLEST_FIELD_PX = 16;

/** Longer than any state needs on a busy machine. */
const STATE_TIMEOUT_MS = 30_000;

/** A page at 400 % zoom is this narrow (WCAG 1.4.10). */
export async function expectNoSidewaysScroll(page: Page): Promise<void> {
  await page.setViewportSize({ width: 320, height: 640 });
  // Images and lists may need a frame to settle.
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
}

/** Finds text fields that are too small on a touch screen as wide as a phone. */
async function smallFields(page: Page): Promise<string[]> {
  // Only Chromium can imitate a touch screen in an open page.
  if (page.context().browser()?.browserType().name() !== 'chromium') return [];
  const browser = await page.context().newCDPSession(page);
  await browser.send('Emulation.setTouchEmulationEnabled', { enabled: true });
  await page.setViewportSize({ width: 360, height: 800 });
  return page.evaluate((smallest) => {
    if (!matchMedia('(pointer: coarse)').matches) throw new Error('this is no touch screen');
    const noText = ['checkbox', 'radio', 'file', 'range', 'color', 'hidden', 'button', 'submit'];
    return [...document.querySelectorAll<HTMLInputElement>('input, textarea, select, [contenteditable]')]
      .filter((field) => !noText.includes(field.type))
      .filter((field) => Number.parseFloat(getComputedStyle(field).fontSize) < smallest)
      .map((field) => `${field.outerHTML.slice(0, 120)} ${getComputedStyle(field).fontSize}`);
  }, SMALLEST_FIELD_PX);
}

/** Reaches the state and returns what is wrong with it. */
async function examine({ name, reach, again }: State, page: Page, browser: Browser, desk: Desk) {
  const wrong: string[] = [];
  await reach({ page, browser, desk });
  await expectNoSidewaysScroll(page);
  for (const width of name.startsWith('console') ? consoleWidths : widths) {
    await page.setViewportSize({ width, height: 800 });
    await again?.(page);
    for (const theme of themes) {
      const found = await themeViolations(page, theme);
      wrong.push(...found.map((violation) => `${theme}, ${width} px: ${violation}`));
    }
  }
  if (withOpeners.includes(name)) await expectFocusRoundTrips(page);
  wrong.push(...(await layoutProblems(page, again)));
  wrong.push(...(await smallFields(page)).map((field) => `too small on a touch screen: ${field}`));
  return wrong;
}

/** Checks all these states, and returns what is wrong, by state. */
export async function examineStates(
  states: readonly State[],
  { browser, desk, watcher }: { browser: Browser; desk: Desk; watcher: Watcher },
): Promise<Record<string, string[]>> {
  test.setTimeout(states.length * STATE_TIMEOUT_MS);
  const wrong: Record<string, string[]> = {};
  for (const state of states) {
    await test.step(state.name, async () => {
      const before = browser.contexts();
      const page = await (await browser.newContext()).newPage();
      page.setDefaultTimeout(STATE_TIMEOUT_MS / 2);
      const found = await examine(state, page, browser, desk).catch((error: unknown) => [String(error)]);
      const seen = watcher.take().map(({ kind, what }) => `${kind}: ${what}`);
      if (found.length + seen.length > 0) wrong[state.name] = [...found, ...seen];
      const opened = browser.contexts().filter((each) => !before.includes(each));
      await Promise.all(opened.map((each) => each.close()));
    });
  }
  return wrong;
}

const OPENERS = 'button[aria-haspopup]:visible';
const OVERLAY = '[role="menu"], [role="dialog"], dialog[open], [role="listbox"]';

/** Checks that Esc closes what each button of the page opens and returns the focus, at two widths. */
async function expectFocusRoundTrips(page: Page): Promise<void> {
  let opened = 0;
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    // The buttons of the new layout.
    await settled(page);
    opened += await expectFocusBack(page);
  }
  expect(opened, 'buttons that open something').toBeGreaterThan(0);
}

async function expectFocusBack(page: Page): Promise<number> {
  const count = await page.locator(OPENERS).count();
  for (let index = 0; index < count; index++) {
    const opener = page.locator(OPENERS).nth(index);
    if (await opener.isDisabled()) continue;
    const name = await opener.evaluate((button) => button.ariaLabel ?? button.textContent);
    await opener.focus();
    await page.keyboard.press('Enter');
    const overlay = page.locator(OVERLAY).filter({ visible: true }).last();
    await expect(overlay, `"${name}" opens something`).toBeVisible();
    // The overlay takes the focus before it receives a key.
    await expect
      .poll(() => overlay.evaluate((element) => element.contains(document.activeElement)))
      .toBe(true);
    await page.keyboard.press('Escape');
    await expect(overlay, `Esc closes what "${name}" opened`).toBeHidden();
    await expect(opener, `"${name}" has the focus again`).toBeFocused();
  }
  return count;
}
