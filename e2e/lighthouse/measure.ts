import { chromium } from '@playwright/test';
import type { Language } from '@settee/protocol/texts/languages';
import lighthouse, { generateReport, type Result } from 'lighthouse';
import { freePort } from '../../tools/freePorts.ts';
import { chromiumLaunch } from '../chromium.ts';

const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
/** Enough to recognise a finding. The report has the full text. */
const FINDING_LENGTH = 240;
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
  scriptKilobytes: number;
  requests: string[];
  /** The audits that cost points in each category. */
  losses: Record<Category, string[]>;
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
  const requests = requestsOf(lhr);
  const byCategory = <T>(value: (category: Category) => T): Record<Category, T> =>
    Object.fromEntries(CATEGORIES.map((category) => [category, value(category)])) as Record<Category, T>;
  return {
    scores: byCategory((category) => Math.round((lhr.categories[category]?.score ?? 0) * 100)),
    lcpSeconds: number('largest-contentful-paint') / 1_000,
    cls: number('cumulative-layout-shift'),
    tbtMs: number('total-blocking-time'),
    benchmark: lhr.environment.benchmarkIndex,
    scriptKilobytes:
      requests
        .filter(({ resourceType }) => resourceType === 'Script')
        .reduce((total, { transferSize }) => total + transferSize, 0) / 1_000,
    requests: requests.map(({ url }) => url),
    losses: byCategory((category) => lossesOf(lhr, category)),
    html: generateReport(lhr, 'html'),
  };
}

type Request = { url: string; resourceType: string; transferSize: number };

function requestsOf(lhr: Result): Request[] {
  const { details } = lhr.audits['network-requests'] ?? {};
  if (details?.type !== 'table') throw new Error('Lighthouse did not list the requests.');
  return details.items as unknown as Request[];
}

/** The audits that cost points, each with its first finding. */
function lossesOf(lhr: Result, category: Category): string[] {
  return (lhr.categories[category]?.auditRefs ?? []).flatMap(({ id, weight }) => {
    const audit = lhr.audits[id];
    const counts = weight > 0 || category === 'performance';
    if (!counts || audit?.score === undefined || audit.score === null || audit.score >= 0.995) return [];
    const { displayValue = '', details } = audit;
    const [finding] = details !== undefined && 'items' in details ? (details.items as unknown[]) : [];
    const first = finding === undefined ? '' : JSON.stringify(finding).slice(0, FINDING_LENGTH);
    return [`${id} ${audit.score} ${displayValue} ${first}`.trim()];
  });
}
