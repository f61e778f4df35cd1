import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Page, Response } from '@playwright/test';
import { drawing } from '../gallery/drawings.ts';
import { conversationOf } from './database.ts';
import { drop, expectImages, images, paste, photograph, pick, storedBytes, storedImages } from './images.ts';
import { bubbles, chatOfTwo, send } from './people.ts';
import { alsoInFirefox, expect, test } from './watched.ts';

const submit = (page: Page) => page.getByRole('button', { name: 'Send', exact: true });
const viewer = (page: Page) => page.getByRole('dialog', { name: 'Image viewer' });

test('[V-17] [K-06] an image goes from the button to both sides: preview, remove, send with text, save, reload', async ({
  browser,
}) => {
  const { visitor, desk } = await chatOfTwo(browser, 'Jonas Weber');
  const file = await drawing('letter', 'the letter of chapter nine.jpg', 2_400);
  const picked = visitor.getByRole('listitem').filter({ hasText: file.name });

  await expect(submit(visitor)).toHaveAttribute('aria-disabled', 'true');
  await pick(visitor, file);
  await expect(picked).toContainText(`${(file.buffer.length / 1_048_576).toFixed(1)} MB`);
  await expect(picked.locator('img')).toHaveJSProperty('naturalWidth', 2_400);
  await picked.getByRole('button', { name: `Remove ${file.name}` }).click();
  await expect(picked).toHaveCount(0);
  await expect(submit(visitor)).toHaveAttribute('aria-disabled', 'true');

  // The same file again, and then another one.
  await pick(visitor, file);
  await pick(visitor, await drawing('lighthouse', 'IMG_2034.jpg'));
  await expect(visitor.getByRole('listitem')).toHaveCount(2);
  await send(visitor, 'This is the page.');
  await expectImages(visitor, 'out', 2);
  await expectImages(desk, 'in', 2);
  await expect(bubbles(desk).getByText('This is the page.')).toBeVisible();
  await expect(desk.getByRole('button', { name: /^Image from Jonas Weber: the letter/ })).toBeVisible();

  // An image that was just sent is saved as a file, by the page itself.
  const own = visitor.getByRole('button', { name: 'Your image: the letter of chapter nine' });
  await own.click();
  const [saved] = await Promise.all([
    visitor.waitForEvent('download'),
    viewer(visitor).getByRole('button', { name: 'Save image' }).click(),
  ]);
  expect(saved.suggestedFilename()).toBe(file.name);
  expect(await readFile(await saved.path())).toEqual(file.buffer);
  await visitor.keyboard.press('Escape');
  await expect(viewer(visitor)).toHaveCount(0);

  // After a reload the images come from the server, in the same places.
  const places = () =>
    bubbles(visitor, 'out')
      .locator('[data-image]')
      .evaluateAll((all) => all.map((one) => one.clientHeight));
  const before = await places();
  await visitor.reload();
  await expectImages(visitor, 'out', 2);
  expect(await places()).toEqual(before);
  await expect(own).toBeVisible();
});

/** Records everything that a page receives: addresses, headers, bodies, frames. */
function recordAll(page: Page): { bodies: Buffer[]; texts(): Promise<string> } {
  const bodies: Buffer[] = [];
  const texts: string[] = [];
  const reading: Promise<unknown>[] = [];
  const read = async (response: Response): Promise<void> => {
    // Previews of local files do not come from the server.
    if (response.url().startsWith('blob:')) return;
    const head = await response.allHeaders().catch(() => ({}));
    texts.push(response.url(), JSON.stringify(head));
    // A redirect has no body, and neither has an aborted request.
    const body = await response.body().catch(() => undefined);
    if (!body) return;
    texts.push(body.toString('latin1'), body.toString('utf8'));
    if (response.request().resourceType() === 'image') bodies.push(body);
  };
  page.on('response', (response) => reading.push(read(response)));
  page.on('websocket', (socket) => socket.on('framereceived', ({ payload }) => texts.push(String(payload))));
  return {
    bodies,
    async texts() {
      await Promise.all(reading);
      return [...texts, await page.content(), decodeURIComponent(page.url())].join('\n');
    },
  };
}

test(
  '[K-05] [K-06] images by button, paste and drop reach the visitor, and nothing about their sender does',
  alsoInFirefox,
  async ({ browser }) => {
    const canary = `canary-${randomUUID()}`;
    const { visitor, desk, invite, handler } = await chatOfTwo(browser, 'Jonas Weber');
    const received = recordAll(visitor);
    await visitor.reload();
    const file = (name: string) => photograph(`${canary} ${name}`, { owner: canary });
    const row = desk.getByRole('link', { name: /Jonas Weber/ });

    await pick(desk, await file('button.jpg'));
    await submit(desk).click();
    await expectImages(desk, 'out', 1);
    await expectImages(visitor, 'in', 1);
    await expect(row).toContainText('Ana: [Media]');
    await paste(desk, await file('paste.jpg'));
    await desk.getByRole('textbox', { name: 'Type your message...' }).fill('And some words');
    await submit(desk).click();
    await expectImages(visitor, 'in', 2);
    await expect(bubbles(visitor).filter({ hasText: 'And some words' })).toBeVisible();
    await drop(desk, await file('drop.jpg'));
    await expect(desk.getByRole('listitem').filter({ hasText: canary })).toHaveCount(1);
    // The image waits there while the handler looks at the queue.
    await desk.getByRole('button', { name: 'Back to Queue' }).click();
    await row.click();
    await submit(desk).click();
    await expectImages(visitor, 'in', 3);

    // In the other direction the file name is the visitor's, and the handler sees it.
    await pick(visitor, await photograph('holiday in Lyon.jpg'));
    await submit(visitor).click();
    await expectImages(desk, 'in', 1);
    await expect(images(desk, 'in')).toHaveAttribute('aria-label', /holiday in Lyon/);
    await expect(row).toContainText('[Media]');
    await expect(row).not.toContainText('Ana:');
    await visitor.reload();
    await expectImages(visitor, 'in', 3);

    const id = await conversationOf(invite);
    const stored = (await storedImages()).filter(({ conversationId }) => conversationId === id);
    expect(stored.map(({ fileName, fromOwner }) => [fromOwner, fileName.replace(/\.\w+$/, '')])).toEqual([
      ...Array.from({ length: 3 }, () => [true, 'image']),
      [false, 'holiday in Lyon'],
    ]);
    const given = await received.texts();
    expect(given).toContain('And some words');
    for (const secret of [canary, handler.alias, handler.email, 'Ana Kovač'])
      expect(given).not.toContain(secret);
    expect(received.bodies.length).toBeGreaterThanOrEqual(3);
    const kept = await Promise.all(stored.map(({ path }) => storedBytes(path)));
    for (const body of [...received.bodies, ...kept]) {
      for (const mark of ['Exif', 'EXIF', canary, 'http://ns.adobe.com'])
        expect(body.includes(mark), mark).toBe(false);
    }
  },
);
