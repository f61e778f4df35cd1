import { type BrowserContext, test as base, expect, type Page } from '@playwright/test';
import { awaitRoutes } from './routeInForce.ts';

/** What must not happen in any test, whatever it tests. */
export type Sin = { kind: 'policy' | 'foreign' | 'error'; what: string };

/** Chromium names the policy, Trusted Types included, in what it prints about every violation. */
const ABOUT_POLICY =
  /content security policy|content-security-policy|trusted ?types?|trustedhtml|trustedscript/i;
/**
 * For its traces Playwright fetches again, in the page, what the page drew from its own memory, and the policy stops
 * it. What the page's own script fetches comes as an event too, with a line of that script.
 */
const REFETCHED = /^Connecting to '(?:blob|data):/;
const OF_THE_PAGE_ITSELF = new Set(['blob:', 'data:', 'about:']);

/** Watches contexts for as long as a test lasts. */
export class Watcher {
  readonly #own: Set<string>;
  #sins: Sin[] = [];

  constructor(ownUrl: string) {
    // Images go straight to the store and back, by signed addresses.
    const store = process.env.S3_PUBLIC_ENDPOINT || process.env.S3_ENDPOINT;
    this.#own = new Set([ownUrl, ...(store ? [store] : [])].map((url) => new URL(url).host));
  }

  /** A test that moves the store elsewhere says where. */
  allow(url: string): void {
    this.#own.add(new URL(url).host);
  }

  /** For a context that did not come from the `browser` of the test; the others are watched already. */
  async watch(context: BrowserContext): Promise<void> {
    context.on('request', (request) => this.#requested(request.url()));
    const watchSockets = (page: Page): void =>
      void page.on('websocket', (socket) => this.#requested(socket.url()));
    context.pages().forEach(watchSockets);
    context.on('page', watchSockets);
    context.on('console', (message) => {
      const text = message.text();
      if (ABOUT_POLICY.test(text) && !REFETCHED.test(text)) this.#note('policy', text);
    });
    context.on('weberror', (error) => this.#note('error', String(error.error().stack ?? error.error())));
    await context.exposeBinding('reportPolicyViolation', (_source, what: string) =>
      this.#note('policy', what),
    );
    await context.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => {
        const { effectiveDirective, blockedURI, sourceFile, lineNumber, documentURI } = event;
        const refetched = effectiveDirective === 'connect-src' && /^(?:blob|data)/.test(blockedURI);
        if (refetched && !sourceFile && lineNumber === 0) return;
        const { reportPolicyViolation } = globalThis as unknown as {
          reportPolicyViolation: (what: string) => void;
        };
        reportPolicyViolation(
          `${effectiveDirective} refuses ${blockedURI} (${sourceFile}:${lineNumber}) on ${documentURI}`,
        );
      });
    });
  }

  /** Until all is told that a page did so far: a breach is printed and fires an event, one after the other. */
  async hearOut(page: Page): Promise<void> {
    await page.evaluate(() => new Promise((done) => setTimeout(done, 100)));
  }

  /** What was seen so far. Who takes it answers for it: the test no longer fails for these. */
  take(): Sin[] {
    const taken = this.#sins;
    this.#sins = [];
    return taken;
  }

  #requested(address: string): void {
    const { protocol, host } = new URL(address);
    if (!OF_THE_PAGE_ITSELF.has(protocol) && !this.#own.has(host)) this.#note('foreign', address);
  }

  #note(kind: Sin['kind'], what: string): void {
    this.#sins.push({ kind, what });
  }
}

const lasting = new WeakSet<BrowserContext>();

/** For a context that several tests share. */
export function outlastsTest(context: BrowserContext): void {
  lasting.add(context);
}

/** Playwright's `test`, but any test fails that breaks the content policy, asks elsewhere or throws in a page. */
export const test = base.extend<{ watcher: Watcher }>({
  watcher: [
    async ({ browser, baseURL }, use) => {
      const watcher = new Watcher(baseURL ?? '');
      // The fixtures `context` and `page`, newPerson and the tests themselves all come by this one door.
      const newContext = browser.newContext;
      const opened: BrowserContext[] = [];
      browser.newContext = async (options) => {
        const context = await newContext.call(browser, options);
        opened.push(context);
        await watcher.watch(context);
        awaitRoutes(context);
        return context;
      };
      await use(watcher);
      browser.newContext = newContext;
      // Playwright leaves open what a test opened by hand: people who stay online, and pages that go on working.
      const left = opened.filter((context) => !lasting.has(context));
      await Promise.all(left.map((context) => context.close()));
      expect(watcher.take(), 'what the watcher saw').toEqual([]);
    },
    { auto: true },
  ],
});

export { expect };
