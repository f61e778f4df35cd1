import type { BrowserContext, Page } from '@playwright/test';

/** A path that the product does not have, so only a route answers it. */
const PROBE = '/is-the-route-in-force';
const ANSWERED = 204;
/** Far more than needed. A count, because a test may have stopped the page's clock. */
const ASKS = 3_000;

/**
 * From now on `page.route` returns only when the route is active. The browser confirms a route before the page uses it:
 * on a busy page, mostly with a service worker, a click right afterwards sent its call past the route.
 */
export function awaitRoutes(context: BrowserContext): void {
  for (const page of context.pages()) awaitRoutesOf(page);
  context.on('page', awaitRoutesOf);
}

function awaitRoutesOf(page: Page): void {
  const route = page.route.bind(page);
  page.route = async (...args) => {
    const given = await route(...args);
    // A page that loads later has the route.
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
