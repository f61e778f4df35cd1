import type { Browser, BrowserContext, Locator, Page } from '@playwright/test';

const lasting = new WeakSet<BrowserContext>();

/** Keeps a context open that several tests share. */
export function outlastsTest(context: BrowserContext): void {
  lasting.add(context);
}

export function endsWithTest(context: BrowserContext): boolean {
  return !lasting.has(context);
}

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

const patched = new WeakSet<object>();

/** Makes Playwright's locators work in Firefox, where two things are different. */
export async function actInFirefox(browser: Browser): Promise<void> {
  const context = await browser.newContext();
  const locators = Object.getPrototypeOf((await context.newPage()).locator('html')) as Locator;
  await context.close();
  if (patched.has(locators)) return;
  patched.add(locators);

  // Only the page in front has the focus. A person also brings it to the front first.
  for (const name of ['click', 'press', 'focus'] as const) {
    const act = locators[name] as (...args: unknown[]) => Promise<void>;
    locators[name] = async function inFront(this: Locator, ...args: unknown[]): Promise<void> {
      await this.page().bringToFront();
      await act.apply(this, args);
    };
  }

  // `fill` fires its event from Playwright's own sandbox, and Firefox stops React's handler of such an event ("Script
  // terminated by timeout"). It accepts the same input from the page itself.
  locators.fill = async function fill(this: Locator, text: string): Promise<void> {
    await this.click();
    await this.evaluate((field, value) => {
      (field as HTMLInputElement).select();
      document.execCommand(value === '' ? 'delete' : 'insertText', false, value);
    }, text);
  };
}

/**
 * Hides `ariaLabelledByElements` and its siblings from the scripts of the page. Firefox 159 crashes when the page's world
 * and another one, such as Playwright's sandbox, read one of them for the same element. Playwright reads it in both, axe
 * in the page's. Both know a browser without it, and Settee does not use it.
 */
export async function readInFirefox(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    for (const name of Object.getOwnPropertyNames(Element.prototype))
      if (/^aria[A-Z]\w*Elements?$/.test(name)) Reflect.deleteProperty(Element.prototype, name);
  });
}
