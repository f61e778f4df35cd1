import { expect, test as watched } from '../product/watched.ts';
import { WebKit } from './webDriver.ts';

/** The browser tests' `test`, with windows of WebKitGTK. It fails if a page in one of them has an error. */
export const test = watched.extend<{ newWindow: (...options: string[]) => Promise<WebKit> }>({
  newWindow: async ({ baseURL: _ }, use) => {
    const windows: WebKit[] = [];
    await use(async (...options) => {
      const window = await WebKit.start(...options);
      windows.push(window);
      return window;
    });
    const problems: string[] = [];
    for (const window of windows) {
      problems.push(...(await window.problems().catch((error: unknown) => [String(error)])));
      await window.close();
    }
    expect(problems, 'errors of the pages in WebKit').toEqual([]);
  },
});

const FIELD = 'textarea';

export function button(name: string): string {
  return `//button[normalize-space(.)="${name}" or @aria-label="${name}"]`;
}

/** A field by its label. */
export function field(label: string): string {
  return `//input[@id=//label[starts-with(normalize-space(.), "${label}")]/@for]`;
}

/** From the link to an empty chat. */
export async function startChat(window: WebKit, url: string, name: string): Promise<void> {
  await window.goto(url);
  await window.click(button('Start chat'));
  await window.type(field('Display Name'), name);
  await window.click(button('Start Chatting'));
}

/** Types a message and presses Enter, when the composer is ready for it. */
export async function send(window: WebKit, text: string): Promise<void> {
  await window.type(FIELD, text);
  await expect(async () => {
    await window.type(FIELD, '\uE007');
    await expect.poll(() => window.evaluate(() => document.querySelector('textarea')?.value)).toBe('');
  }).toPass();
}

function texts(window: WebKit): Promise<string[]> {
  return window.evaluate(() =>
    [...document.querySelectorAll('[role=log] [data-side] div > p:first-child')].map(
      (bubble) => bubble.textContent ?? '',
    ),
  );
}

export async function expectTexts(window: WebKit, expected: string[]): Promise<void> {
  await expect.poll(() => texts(window), { timeout: 30_000 }).toEqual(expected);
}

/** Waits until the page shows this text. */
export async function expectText(window: WebKit, text: string): Promise<void> {
  await expect
    .poll(() => window.evaluate(() => document.body.innerText), { timeout: 30_000 })
    .toContain(text);
}

/** What has the focus: its visible text or its label. */
export function focused(window: WebKit): Promise<string> {
  return window.evaluate(() => {
    const active = document.activeElement as HTMLInputElement;
    return active.ariaLabel ?? active.labels?.[0]?.textContent ?? active.textContent;
  });
}
