import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from '@playwright/test';
import type axe from 'axe-core';

// As text: it runs in the page.
const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** The dark theme changes colours and nothing else: these are left to ask there, once the light one was asked all. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * What axe has against the page as it stands, a line each; with rules, by these alone. A page is given axe once, and
 * only violations are described: to describe all that passes took most of the time.
 */
export async function violations(page: Page, rules?: string[]): Promise<string[]> {
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
