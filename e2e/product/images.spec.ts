import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { drawing } from '../gallery/drawings.ts';
import { conversationOf, inDatabase } from './database.ts';
import { expectImages, pick } from './images.ts';
import { bubbles, chatOfTwo, pxFromEnd } from './people.ts';
import { expect, test } from './watched.ts';

const field = (page: Page) => page.getByPlaceholder('Message...');
const submit = (page: Page) => page.getByRole('button', { name: 'Send', exact: true });
const viewer = (page: Page) => page.getByRole('dialog', { name: 'Image viewer' });

test('[V-17] [K-06] an image goes from the button to both sides: preview, remove, send with text, save, reload', async ({
  browser,
}) => {
  const { visitor, desk, invite } = await chatOfTwo(browser, 'Jonas Weber');
  await visitor.setViewportSize({ width: 390, height: 844 });
  const file = await drawing('letter', 'the letter of chapter nine.jpg', 2_400);
  const size = `${(file.buffer.length / 1_048_576).toFixed(1)} MB`;
  const picked = visitor.getByRole('listitem').filter({ hasText: file.name });

  await expect(submit(visitor)).toHaveAttribute('aria-disabled', 'true');
  await pick(visitor, file);
  await expect(picked).toContainText(size);
  await expect(picked.locator('img')).toHaveJSProperty('naturalWidth', 2_400);
  await expect(submit(visitor)).toHaveAttribute('aria-disabled', 'false');
  await picked.getByRole('button', { name: `Remove ${file.name}` }).click();
  await expect(picked).toHaveCount(0);
  await expect(submit(visitor)).toHaveAttribute('aria-disabled', 'true');

  // The same file again, and then another one.
  await pick(visitor, file);
  await pick(visitor, await drawing('lighthouse', 'IMG_2034.jpg'));
  await expect(visitor.getByRole('listitem')).toHaveCount(2);
  await field(visitor).fill('This is the page.');
  await field(visitor).press('Enter');
  await expect(field(visitor)).toHaveValue('');
  await expect(visitor.getByRole('listitem')).toHaveCount(0);
  // The new image is in view, as an upload and as a message.
  await expect(bubbles(visitor, 'out').last().locator('img')).toBeInViewport({ ratio: 0.99 });
  await expectImages(visitor, 'out', 2);
  await expect.poll(() => pxFromEnd(visitor)).toBe(0);
  await expectImages(desk, 'in', 2);
  await expect(bubbles(desk).getByText('This is the page.')).toBeVisible();
  const { rows } = await inDatabase(
    `select m.text, f.file_name as name, f.media_type as type, f.width, f.height from messages m
     left join media f on f.id = m.media_id where m.conversation_id = $1 and m.media_id is not null order by m.seq`,
    [await conversationOf(invite)],
  );
  expect(rows).toMatchObject([
    { text: '', width: 2_400 },
    // Taller than any screen, so its height is limited.
    { text: '', height: 2_560 },
  ]);

  // An image that was just sent is saved as a file, by the page itself.
  await visitor.getByRole('button', { name: 'Your image: the letter of chapter nine' }).click();
  await expect(viewer(visitor).getByRole('img')).toHaveAttribute('src', /^blob:/);
  const tabs: unknown[] = [];
  visitor.context().on('page', (opened) => tabs.push(opened));
  const [saved] = await Promise.all([
    visitor.waitForEvent('download'),
    viewer(visitor).getByRole('button', { name: 'Save image' }).click(),
  ]);
  expect(saved.suggestedFilename()).toBe(file.name);
  expect(await readFile(await saved.path())).toEqual(file.buffer);
  expect(tabs).toEqual([]);
  await visitor.keyboard.press('Escape');
  await expect(viewer(visitor)).toHaveCount(0);

  // After a reload the images come from the server: same images, same places, with the sender in the name.
  const places = () =>
    bubbles(visitor, 'out')
      .locator('[data-image]')
      .evaluateAll((all) => all.map((one) => one.clientHeight));
  const before = await places();
  await visitor.reload();
  await expectImages(visitor, 'out', 2);
  expect(await places()).toEqual(before);
  await expect(visitor.getByRole('button', { name: 'Your image: the letter of chapter nine' })).toBeVisible();
  await expect(visitor.getByRole('button', { name: 'Your image', exact: true })).toBeVisible();
  await expect(desk.getByRole('button', { name: /^Image from Jonas Weber: the letter/ })).toBeVisible();
  await expect(visitor.locator('[data-image] img[src^="data:"]')).toHaveCount(2);
});
