import type { BrowserContext, Page } from '@playwright/test';

/** A path that the product does not have, so only a route answers it. */
const PROBE = '/is-the-route-in-force';
const ANSWERED = 204;
/** Far more than needed. Counts, because a test may have stopped the page's clock. */
const ASKS = 200;
const ROUNDS = 20;

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
    const isInForce = () => page.evaluate(isAnswered, { probe: PROBE, status: ANSWERED, asks: ASKS });
    try {
      for (let round = 1; !(await isInForce()); round++) {
        if (round === ROUNDS) throw new Error('the route is not in force');
        await renewInterception(page);
      }
    } finally {
      await page.unroute(`**${PROBE}`);
    }
    return given;
  };
}

type Asked = { probe: string; status: number; asks: number };

async function isAnswered({ probe, status, asks }: Asked): Promise<boolean> {
  for (let ask = 0; ask < asks; ask++) {
    const answer = await fetch(probe).catch(() => undefined);
    if (answer?.status === status) return true;
  }
  return false;
}

/**
 * A page may miss a route that was set while it loaded or while its service worker started: no request reaches the route
 * then, however long one waits. Another change of the interception repairs that.
 */
async function renewInterception(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Fetch.enable', { patterns: [{ urlPattern: '*/no-such-address' }] });
  await session.send('Fetch.disable');
  await session.detach();
}
