import { type BrowserContext, test as base, expect, type Page } from '@playwright/test';
import { type Desk, openDesk } from '../gallery/stage.ts';
import { actInFirefox, awaitRoutes, endsWithTest, readInFirefox } from './contexts.ts';
import { forWorker, type Installation, startInstallation } from './ownInstallation.ts';

/** Something that must not happen in any test. */
export type Violation = { kind: 'policy' | 'foreign' | 'error'; what: string };

/** Chromium names the policy, Trusted Types included, in its message about every violation. */
const ABOUT_POLICY =
  /content security policy|content-security-policy|trusted ?types?|trustedhtml|trustedscript/i;
/**
 * For its traces Playwright fetches the page's blob and data URLs again, and the policy stops that. A fetch by the
 * page's own script also fires an event, with a line of that script.
 */
const REFETCHED = /^Connecting to '(?:blob|data):/;
/** Firefox reports a lost connection as an error of the page. Tests that need one cut it themselves. */
const LOST_CONNECTION = /^Firefox can’t establish a connection|^The connection to \S+ was interrupted/;
const OF_THE_PAGE_ITSELF = new Set(['blob:', 'data:', 'about:']);

/** Watches browser contexts during a test. */
export class Watcher {
  readonly #own: Set<string>;
  #violations: Violation[] = [];

  constructor(ownUrl: string) {
    // Images go directly to the object storage and back, by signed URLs.
    const store = process.env.S3_PUBLIC_ENDPOINT || process.env.S3_ENDPOINT;
    this.#own = new Set([ownUrl, ...(store ? [store] : [])].map((url) => new URL(url).host));
  }

  /** For a test that uses another object storage. */
  allow(url: string): void {
    this.#own.add(new URL(url).host);
  }

  /** For a context that the test's `browser` did not open; the others are already watched. */
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
    context.on('weberror', (event) => {
      const error = event.error();
      if (!LOST_CONNECTION.test(error.message)) this.#note('error', String(error.stack ?? error));
    });
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

  /** Waits until all violations so far are reported: each prints a message and then fires an event. */
  async waitForReports(page: Page): Promise<void> {
    await page.evaluate(() => new Promise((done) => setTimeout(done, 100)));
  }

  /** Returns the findings so far. The test no longer fails because of them. */
  take(): Violation[] {
    const taken = this.#violations;
    this.#violations = [];
    return taken;
  }

  #requested(address: string): void {
    const { protocol, host } = new URL(address);
    if (!OF_THE_PAGE_ITSELF.has(protocol) && !this.#own.has(host)) this.#note('foreign', address);
  }

  #note(kind: Violation['kind'], what: string): void {
    this.#violations.push({ kind, what });
  }
}

/** Playwright's `test`, but a test fails if a page violates the content policy, sends an external request or throws. */
export const test = base.extend<{ watcher: Watcher }, { desk: Desk; installation: Installation }>({
  // All worker fixtures are declared here and start only if a test uses them. Tests with other worker fixtures would
  // need other workers, and each worker starts a browser.
  desk: [
    async ({ browser }, use) => use(await openDesk(browser, process.env.PUBLIC_URL ?? '')),
    { scope: 'worker' },
  ],
  installation: forWorker(startInstallation),
  watcher: [
    async ({ browser, browserName, baseURL }, use) => {
      if (browserName === 'firefox') await actInFirefox(browser);
      const watcher = new Watcher(baseURL ?? '');
      // The fixtures `context` and `page`, newPerson and the tests all use this method.
      const newContext = browser.newContext;
      const opened: BrowserContext[] = [];
      browser.newContext = async (options) => {
        const context = await newContext.call(browser, options);
        opened.push(context);
        if (browserName === 'firefox') await readInFirefox(context);
        await watcher.watch(context);
        awaitRoutes(context);
        return context;
      };
      await use(watcher);
      browser.newContext = newContext;
      // Playwright leaves contexts open that a test opened by hand. Their users would stay online and their pages keep
      // working.
      const left = opened.filter(endsWithTest);
      await Promise.all(left.map((context) => context.close()));
      expect(watcher.take(), 'what the watcher saw').toEqual([]);
    },
    { auto: true },
  ],
});

/**
 * The same in a separate installation, one per worker. Presence and profile apply to a whole installation, so tests that
 * change them would disturb all others.
 */
export const ownInstallationTest = test.extend({
  baseURL: ({ installation }, use) => use(installation.url),
});

/** Details of a test that only `npm run nightly` runs, because it is slow by design. */
export const nightly = { tag: '@nightly' };

/** Details of a journey that `npm run nightly` repeats in Firefox. docs/browsers.md says why others cannot. */
export const alsoInFirefox = { tag: '@alsoInFirefox' };

export { expect };
