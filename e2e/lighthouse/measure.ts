import { chromium } from '@playwright/test';
import type { Language } from '@settee/protocol/texts/languages';
import lighthouse, { generateReport, type Result } from 'lighthouse';
import { freePort } from '../../tools/freePorts.ts';
import { chromiumLaunch } from '../chromium.ts';

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
const TRIES = 3;

type Category = (typeof CATEGORIES)[number];

export type Run = {
  /** 0 to 100. */
  scores: Record<Category, number>;
  lcpSeconds: number;
  cls: number;
  tbtMs: number;
  /** The speed of the machine during the run. On a busy machine the result means little. */
  benchmark: number;
  requests: string[];
  /** The report, with the reason for each lost point. */
  html: string;
};

/** Opens the page once, as a mid-range phone on a slow connection, with an empty cache. */
export async function measure(url: string, language: Language = 'en'): Promise<Run> {
  // Sometimes it records nothing (NO_NAVSTART), which is not a fault of the page.
  for (let tries = 1; ; tries++) {
    try {
      return await measureOnce(url, language);
    } catch (error) {
      if (tries === TRIES) throw error;
      console.log(`  trying again: ${String(error)}`);
    }
  }
}

async function measureOnce(url: string, language: Language): Promise<Run> {
  const port = await freePort();
  const browser = await chromium.launch({
    ...chromiumLaunch,
    args: [...chromiumLaunch.args, `--remote-debugging-port=${port}`],
  });
  try {
    const run = await lighthouse(url, {
      port,
      logLevel: 'error',
      onlyCategories: [...CATEGORIES],
      extraHeaders: { 'accept-language': language },
    });
    if (run === undefined) throw new Error('Lighthouse has no result.');
    if (run.lhr.runtimeError !== undefined) throw new Error(run.lhr.runtimeError.message);
    return read(run.lhr);
  } finally {
    await browser.close();
  }
}

function read(lhr: Result): Run {
  const number = (audit: string): number => lhr.audits[audit]?.numericValue ?? Number.NaN;
  const score = (category: Category): number => Math.round((lhr.categories[category]?.score ?? 0) * 100);
  const { details } = lhr.audits['network-requests'] ?? {};
  if (details?.type !== 'table') throw new Error('Lighthouse did not list the requests.');
  return {
    scores: Object.fromEntries(CATEGORIES.map((each) => [each, score(each)])) as Run['scores'],
    lcpSeconds: number('largest-contentful-paint') / 1_000,
    cls: number('cumulative-layout-shift'),
    tbtMs: number('total-blocking-time'),
    benchmark: lhr.environment.benchmarkIndex,
    requests: (details.items as unknown as { url: string }[]).map(({ url }) => url),
    html: generateReport(lhr, 'html'),
  };
}
