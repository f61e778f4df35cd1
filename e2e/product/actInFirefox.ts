import type { Browser, BrowserContext, Locator } from '@playwright/test';

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
