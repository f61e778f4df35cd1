import { expect, type Locator, type Page } from '@playwright/test';
import type { PickedFile } from './pictures.ts';

/** The images in a thread, of one side or of both. */
export function images(page: Page, side?: 'in' | 'out'): Locator {
  return page
    .getByRole('log')
    .locator(
      `[data-side${side ? `=${side}` : ''}][data-seq] button[data-image], [data-side${side ? `=${side}` : ''}][data-upload]`,
    );
}

export async function pick(page: Page, ...files: PickedFile[]): Promise<void> {
  await choose(page, () => page.getByRole('button', { name: 'Send an image' }).click(), ...files);
}

/** Answers the file dialog that `ask` opens. The listener must be active before the dialog opens. */
export async function choose(page: Page, ask: () => Promise<unknown>, ...files: PickedFile[]): Promise<void> {
  const choosing = page.waitForEvent('filechooser');
  // Playwright enables the file chooser interception in parallel with the click. This delay lets it take effect first.
  await page.evaluate(() => new Promise((done) => setTimeout(done, 50)));
  await ask();
  await (await choosing).setFiles(files);
}

/** Pastes the file into the message field. */
export async function paste(page: Page, file: PickedFile): Promise<void> {
  await page.getByRole('textbox', { name: /message/i }).focus();
  await page.evaluate(fireWithFile, { ...plain(file), type: 'paste' });
}

/** Drops the file onto the thread. */
export async function drop(page: Page, file: PickedFile): Promise<void> {
  for (const type of ['dragenter', 'dragover', 'drop'])
    await page.evaluate(fireWithFile, { ...plain(file), type });
}

function plain({ name, mimeType, buffer }: PickedFile) {
  return { name, mimeType, base64: buffer.toString('base64') };
}

/** Chromium does not let a script put a named file on the real clipboard. The page sees the same event. */
async function fireWithFile(file: {
  name: string;
  mimeType: string;
  base64: string;
  type: string;
}): Promise<void> {
  const bytes = Uint8Array.from(atob(file.base64), (char) => char.charCodeAt(0));
  const carried = new DataTransfer();
  carried.items.add(new File([bytes], file.name, { type: file.mimeType }));
  const target =
    file.type === 'paste' ? document.activeElement : document.querySelector<HTMLElement>('[role="log"]');
  const common = { bubbles: true, cancelable: true };
  target?.dispatchEvent(
    file.type === 'paste'
      ? new ClipboardEvent('paste', { ...common, clipboardData: carried })
      : new DragEvent(file.type, { ...common, dataTransfer: carried }),
  );
}

/** Expects this many images, loaded from the server's addresses and drawn. */
export async function expectImages(
  page: Page,
  side: 'in' | 'out',
  count: number,
  timeout = 60_000,
): Promise<void> {
  const pictures = page.getByRole('log').locator(`[data-side=${side}][data-seq] button[data-image]`);
  await expect(pictures).toHaveCount(count, { timeout });
  for (const picture of await pictures.all()) {
    // The sent image replaces the one that was uploading.
    await expect(() => picture.scrollIntoViewIfNeeded({ timeout: 5_000 })).toPass({ timeout });
    await expect
      .poll(
        () =>
          picture.evaluate((button) =>
            [...button.querySelectorAll('img')].some(
              ({ naturalWidth, src }) => naturalWidth > 0 && !src.startsWith('data:'),
            ),
          ),
        { timeout },
      )
      .toBe(true);
  }
  await expect(page.locator(`[data-side=${side}][data-upload]`)).toHaveCount(0);
}
