import type { BrowserContext, Page } from '@playwright/test';

/** Nothing of the product's: a call that only a route answers. */
const PROBE = '/is-the-route-in-force';
const ANSWERED = 204;
/** Far more than ever needed. By number, because a test may have stopped the page's clock. */
const ASKS = 300;

/**
 * From now on `page.route` returns when its route is in force. The browser confirms it before the page has heard of
 * it: a press right after sent its call past the route whenever the page was busy, most of all under a service worker.
 */
export function awaitRoutes(context: BrowserContext): void {
  for (const page of context.pages()) awaitRoutesOf(page);
  context.on('page', awaitRoutesOf);
}

function awaitRoutesOf(page: Page): void {
  const route = page.route.bind(page);
  page.route = async (...args) => {
    const given = await route(...args);
    // What loads from now on has heard of it.
    if (!page.url().startsWith('http')) return given;
    await route(`**${PROBE}`, (probe) => probe.fulfill({ status: ANSWERED }));
    try {
      await page.evaluate(askUntilAnswered, { probe: PROBE, status: ANSWERED, asks: ASKS });
    } finally {
      await page.unroute(`**${PROBE}`);
    }
    return given;
  };
}

type Asked = { probe: string; status: number; asks: number };

async function askUntilAnswered({ probe, status, asks }: Asked): Promise<void> {
  for (let ask = 0; ask < asks; ask++) {
    const answer = await fetch(probe).catch(() => undefined);
    if (answer?.status === status) return;
  }
  throw new Error('the route is not in force');
}
