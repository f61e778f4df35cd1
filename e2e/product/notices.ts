import type { BrowserContext, Page } from '@playwright/test';

type Shown = { title: string; body: string | undefined };

/** Records the notifications of the page, and still shows them. */
export async function watchNotices(page: Page): Promise<() => Promise<Shown[]>> {
  await page.addInitScript(() => {
    const shown: Shown[] = [];
    const { Notification } = globalThis;
    Object.assign(globalThis, {
      shown,
      Notification: class extends Notification {
        constructor(title: string, options?: NotificationOptions) {
          super(title, options);
          shown.push({ title, body: options?.body });
          Object.assign(globalThis, { clickLast: () => this.dispatchEvent(new Event('click')) });
        }
      },
    });
  });
  return () => page.evaluate(() => (globalThis as unknown as { shown: Shown[] }).shown);
}

export async function putInBackground(page: Page, hidden: boolean): Promise<void> {
  await page.evaluate(
    (value) => Object.defineProperty(document, 'hidden', { value, configurable: true }),
    hidden,
  );
}

export function clickLastNotice(page: Page): Promise<void> {
  return page.evaluate(() => (globalThis as unknown as { clickLast: () => void }).clickLast());
}

/** Like an installation without a push key: only notifications while a page is open. */
export async function withoutPushes(context: BrowserContext): Promise<void> {
  await context.route('**/push/key', (route) => route.fulfill({ json: { success: true, publicKey: null } }));
}
