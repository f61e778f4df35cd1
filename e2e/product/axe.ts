import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type axe from 'axe-core';

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

/** A virtual list lays out its rows one frame after a resize. Until then they overlap. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    for (let i = 0; i < 3; i += 1) await frame();
    await Promise.allSettled(
      document.getAnimations().map(({ finished }) => Promise.race([finished, frame()])),
    );
  });
}
