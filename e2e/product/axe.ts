import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type axe from 'axe-core';
import { expect } from './watched.ts';

// As text: it runs in the page.
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The dark theme changes colours and nothing else: these are left to ask there, once the light one was asked all. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * What axe has against the page as it stands, a line each; with rules, by these alone. A page is given axe once, and
 * only violations are described: to describe all that passes took most of the time.
 */
async function violations(page: Page, rules?: string[]): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(source);
  return page.evaluate(async (only) => {
    const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
    const found = await run(document, {
      resultTypes: ['violations'],
      ...(only && { runOnly: { type: 'rule', values: only } }),
    });
    return found.violations.map(({ id, nodes: [first] }) => `${id}: ${first?.html} ${first?.failureSummary}`);
  }, rules);
}

/** Asked once the page has come to rest in this theme. */
export async function expectNoViolations(page: Page, colorScheme: 'light' | 'dark'): Promise<void> {
  await withoutTransitions(page);
  await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
  await settled(page);
  expect(await violations(page, colorScheme === 'dark' ? COLOUR_RULES : undefined)).toEqual([]);
}

/** The change of theme is ours: a colour that is on its way from one to the other is nobody's. */
async function withoutTransitions(page: Page): Promise<void> {
  await page.evaluate(() => {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync('*, *::before, *::after { transition: none !important }');
    document.adoptedStyleSheets = [sheet];
  });
}

/** A list that measures its rows lays them out a frame after the window changed: until then they lie over each other. */
async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let i = 0; i < 3; i += 1) await frame();
    await Promise.allSettled(
      document.getAnimations().map(({ finished }) => Promise.race([finished, frame()])),
    );
  });
}
