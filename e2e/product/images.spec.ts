import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { IMAGE_MAX_BYTES } from '@settee/protocol/model/media';
import { texts } from '@settee/protocol/texts/texts';
import { drawing } from '../gallery/drawings.ts';
import { createHandler, createInvite } from './accounts.ts';
import { tabTo } from './byKeyboard.ts';
import { conversationOf, inDatabase } from './database.ts';
import { sendImageAs } from './imageOfHandler.ts';
import { bubbles, chatOfTwo, holdLine, pxFromEnd, send, startChat } from './people.ts';
import { drop, expectImages, paste, pick } from './sendImages.ts';
import { expect, test } from './watched.ts';

/** A job re-encodes images, which takes time on a busy machine. */
const LONG_MS = 170_000;

const field = (page: Page) => page.getByPlaceholder('Message...');
const submit = (page: Page) => page.getByRole('button', { name: 'Send', exact: true });
const upload = (page: Page) => page.locator('[data-upload]');
const viewer = (page: Page) => page.getByRole('dialog', { name: 'Image viewer' });

test('[V-17] [K-06] [MEDIA-21] an image goes from the button to both sides: preview, remove, send with text, reload', async ({
  browser,
}) => {
  test.setTimeout(LONG_MS);
  const { visitor, desk, invite } = await chatOfTwo(browser, 'Jonas Weber');
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
  await expectImages(visitor, 'out', 2);
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

test('[C-03] [C-04] [MEDIA-25] a wrong file is refused with its text, by button, paste and drop; a right one waits', async ({
  page,
}) => {
  await startChat(page, createInvite(createHandler().alias), 'Jonas');
  const alert = page.getByRole('alert');
  // A caption waits for its image, which is still being read. Text typed later is not sent.
  const reading = await page.evaluateHandle(() => {
    const held = Promise.withResolvers<void>();
    const read = Blob.prototype.arrayBuffer;
    Blob.prototype.arrayBuffer = async function () {
      await held.promise;
      return read.call(this);
    };
    return held;
  });
  await pick(page, await drawing('letter', 'early.jpg'));
  await field(page).fill('the caption');
  await field(page).press('Enter');
  await field(page).pressSequentially(' and more');
  await expect(page.getByRole('button', { name: texts.sending })).toBeVisible();
  await expect(bubbles(page, 'out')).toHaveCount(0);
  await reading.evaluate((held) => held.resolve());
  await expect(bubbles(page, 'out').filter({ hasText: 'the caption' })).toHaveCount(1);
  await expect(bubbles(page, 'out').locator('img[alt^="Your image: early"]')).toHaveCount(1);
  await expect(bubbles(page, 'out').getByText('and more')).toHaveCount(0);
  await expect(field(page)).toHaveValue(' and more');
  await field(page).fill('');

  await pick(page, { name: 'letter.pdf', mimeType: 'application/pdf', buffer: Buffer.from('%PDF-1.7') });
  await expect(alert).toHaveText(texts.imageWrongType);
  await field(page).fill('words go on');
  await expect(alert).toHaveCount(0);
  await field(page).fill('');

  const photo = await drawing('letter', 'page.jpg');
  const large = Buffer.alloc(IMAGE_MAX_BYTES);
  photo.buffer.copy(large);
  await pick(page, { name: 'large.jpg', mimeType: 'image/jpeg', buffer: large });
  await expect(alert).toHaveText(texts.imageTooLarge);

  // One of the two files is valid, and it is kept.
  await pick(page, photo, { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('notes') });
  await expect(alert).toHaveText(texts.imageWrongType);
  await expect(page.getByRole('listitem')).toHaveText([/page\.jpg/]);
  await page.getByRole('button', { name: 'Remove page.jpg' }).click();
  await expect(page.getByRole('listitem')).toHaveCount(0);

  await paste(page, await drawing('lighthouse', 'image.png'));
  await expect(page.getByRole('listitem')).toHaveCount(1);
  const dragged = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    data.items.add(new File(['x'], 'x.jpg', { type: 'image/jpeg' }));
    return data;
  });
  await page.dispatchEvent('body', 'dragover', { dataTransfer: dragged });
  await expect(page.getByText('Drop the image here')).toBeVisible();
  await page.dispatchEvent('body', 'dragleave', { dataTransfer: dragged });
  await expect(page.getByText('Drop the image here')).toHaveCount(0);
  await drop(page, photo);
  await expect(page.getByText('Drop the image here')).toHaveCount(0);
  await expect(page.getByRole('listitem')).toHaveText([/image\.png/, /page\.jpg/]);

  // Dragged text is left to the browser.
  const words = await page.evaluateHandle(() => {
    const data = new DataTransfer();
    data.setData('text/plain', 'words');
    return data;
  });
  await page.dispatchEvent('body', 'dragover', { dataTransfer: words });
  await expect(page.getByText('Drop the image here')).toHaveCount(0);
});

test('[MEDIA-21] an upload shows its image at once, ring and MB; cancel, failure, retry', async ({
  page,
}) => {
  test.setTimeout(LONG_MS);
  await startChat(page, createInvite(createHandler().alias), 'Jonas');
  await send(page, 'before');
  let way: 'held' | 'cut' | 'open' = 'held';
  const held: (() => Promise<void>)[] = [];
  await page.route(
    ({ pathname }) => pathname.includes('/uploads/'),
    (route) => {
      if (way === 'cut') return route.abort();
      if (way === 'open') return route.continue();
      held.push(() => route.abort().catch(() => undefined));
    },
  );
  const file = await drawing('lighthouse', 'lighthouse.jpg', 1_200);
  await pick(page, file);
  await expect(page.getByRole('listitem')).toHaveCount(1);
  await expect(field(page)).toBeFocused();
  await page.keyboard.press('Enter');
  const ring = upload(page).getByRole('progressbar', { name: 'Uploading lighthouse.jpg' });
  await expect(ring).toHaveAttribute('aria-valuetext', /^\d\.\d of \d\.\d MB$/);
  await expect(upload(page).getByText(/^\d\.\d of \d\.\d MB$/)).toBeVisible();
  await expect(upload(page).locator('img')).toHaveJSProperty('naturalWidth', 1_200);
  expect(await pxFromEnd(page)).toBeLessThan(2);
  const box = await upload(page).locator('img').boundingBox();
  expect(box?.height).toBeCloseTo(360, -1);
  // Text does not wait for the image.
  await send(page, 'words overtake it');
  await expect(bubbles(page).filter({ hasText: 'words overtake it' })).toHaveAttribute('data-seq', '2');
  await expect(bubbles(page).last()).toHaveAttribute('data-upload', 'uploading');
  const cancel = upload(page).getByRole('button', { name: 'Cancel' });
  const target = await cancel.boundingBox();
  expect(Math.min(target?.width ?? 0, target?.height ?? 0)).toBeGreaterThanOrEqual(44);
  await cancel.press('Enter');
  await expect(upload(page)).toHaveCount(0);
  await expect(page.getByRole('log')).toBeFocused();
  await Promise.all(held.map((end) => end()));

  way = 'cut';
  await page.clock.install();
  await pick(page, file);
  await submit(page).click();
  await expect(upload(page)).toBeVisible();
  // After ten minutes of retries, as specified, the page reports the failure.
  await expect(async () => {
    await page.clock.fastForward(60_000);
    await expect(upload(page)).toHaveAttribute('data-upload', 'failed', { timeout: 500 });
  }).toPass({ timeout: 60_000 });
  await expect(upload(page).getByRole('alert')).toHaveText(/Not sent\.\s*Try again/);
  const place = await upload(page).locator('img').boundingBox();
  way = 'open';
  await upload(page).getByRole('button', { name: 'Try again' }).click();
  await page.clock.resume();
  await expectImages(page, 'out', 1);
  await expect(upload(page)).toHaveCount(0);
  expect((await page.locator('[data-image]').boundingBox())?.height).toBeCloseTo(place?.height ?? 0, 0);
  expect(await pxFromEnd(page)).toBeLessThan(2);
});

test('[MEDIA-24] [MEDIA-20] the viewer opens with Enter: arrow keys through all, zoom, Esc back, and the list does not jump', async ({
  page,
}) => {
  test.setTimeout(LONG_MS);
  const handler = createHandler();
  const invite = createInvite(handler.alias);
  await startChat(page, invite, 'Jonas');
  await send(page, 'words before');
  await sendImageAs(handler, invite, await drawing('letter', 'secret name.jpg'));
  await expectImages(page, 'in', 1);
  await expect(page.getByText('Settee: Image')).toBeAttached();
  await sendImageAs(handler, invite, await drawing('lighthouse', 'second.jpg'));
  await pick(page, await drawing('lighthouse', 'my lighthouse.jpg', 800));
  await submit(page).click();
  await expectImages(page, 'in', 2);
  await expectImages(page, 'out', 1);
  expect(await pxFromEnd(page)).toBeLessThan(2);

  // The images load slowly from the server. The text being read must not move.
  const late: (() => Promise<void>)[] = [];
  let soon = false;
  await page.route(/\/media\/[^/]+\.\w+\?/, (route) => {
    if (soon) return route.continue();
    late.push(() => route.continue());
  });
  await page.reload();
  const pictures = page.locator('[data-image]');
  await expect(pictures).toHaveCount(3);
  await expect.poll(() => pxFromEnd(page)).toBeLessThan(2);
  const tops = () => pictures.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
  const before = await tops();
  await expect.poll(() => late.length).toBeGreaterThan(1);
  soon = true;
  await Promise.all(late.map((go) => go()));
  await expect(pictures.last().locator('img[data-shown=true]')).toHaveCount(1);
  await expect(pictures.last().locator('img[data-shown=true]')).toHaveCSS('opacity', '1');
  expect(await tops()).toEqual(before);

  // All messages are one Tab stop. The arrow keys move through texts and images.
  await expect(page.locator('[role=log] :is([data-copy], [data-image])[tabindex="0"]')).toHaveCount(1);
  await field(page).focus();
  await tabTo(page, pictures.last(), 'Shift+Tab');
  await page.keyboard.press('ArrowUp');
  await expect(pictures.nth(1)).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowUp');
  await expect(bubbles(page, 'out').getByRole('button', { name: 'Copy' })).toBeFocused();
  for (let n = 0; n < 3; n += 1) await page.keyboard.press('ArrowDown');
  await expect(pictures.last()).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(viewer(page)).toBeVisible();
  await expect(viewer(page).getByText('3 of 3')).toBeVisible();
  await expect(viewer(page).getByText(texts.you, { exact: true })).toBeVisible();
  const shown = viewer(page).locator('img');
  await expect(shown).toHaveAttribute('alt', /^Your image: my lighthouse/);
  await page.keyboard.press('ArrowLeft');
  await expect(viewer(page).getByText('2 of 3')).toBeVisible();
  await expect(shown).toHaveAttribute('alt', /^Image from /);
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('ArrowLeft');
  await expect(viewer(page).getByText('1 of 3')).toBeVisible();
  // At the end the button keeps the focus, so the keys still work.
  const next = viewer(page).getByRole('button', { name: 'Next image' });
  await next.press('Enter');
  await next.press('Enter');
  await expect(viewer(page).getByText('3 of 3')).toBeVisible();
  await expect(next).toBeFocused();
  await page.keyboard.press('Home');
  await expect(viewer(page).getByText('1 of 3')).toBeVisible();
  await expect(viewer(page).getByText('secret')).toHaveCount(0);
  await expect(shown).toHaveAttribute('data-shown', 'true');

  const width = async () => (await shown.boundingBox())?.width ?? 0;
  const fits = await width();
  await viewer(page).getByRole('button', { name: 'Zoom in' }).click();
  await expect.poll(width).toBeCloseTo(fits * 2.5, 0);
  const from = await shown.boundingBox();
  await page.mouse.move(600, 400);
  await page.mouse.down();
  await page.mouse.move(500, 400, { steps: 5 });
  await page.mouse.up();
  expect((await shown.boundingBox())?.x).toBeLessThan((from?.x ?? 0) - 80);
  await viewer(page).getByRole('button', { name: 'Zoom out' }).click();
  await expect.poll(width).toBeCloseTo(fits, 0);
  await shown.dblclick();
  await expect.poll(width).toBeCloseTo(fits * 2.5, 0);
  await page.mouse.move(640, 400);
  await page.keyboard.down('Control');
  await page.mouse.wheel(0, 2_000);
  await page.keyboard.up('Control');
  await expect.poll(width).toBeCloseTo(fits, 0);

  // Two fingers, then one, as touch events of Chromium.
  await pinch(page, 100, 300);
  await expect.poll(width).toBeGreaterThan(fits * 2);
  await pinch(page, 300, 60);
  await expect.poll(width).toBeCloseTo(fits, 0);
  await swipe(page, 700, 500);
  await expect(viewer(page).getByText('2 of 3')).toBeVisible();
  await swipe(page, 500, 540);
  await expect(viewer(page).getByText('2 of 3')).toBeVisible();
  await swipe(page, 500, 700);
  await expect(viewer(page).getByText('1 of 3')).toBeVisible();

  await page.keyboard.press('Escape');
  await expect(viewer(page)).toHaveCount(0);
  await expect(pictures.last()).toBeFocused();
});

type Touch = { x: number; y: number };

async function touch(page: Page, steps: Touch[][]): Promise<void> {
  const fingers = await page.context().newCDPSession(page);
  for (const [i, touchPoints] of steps.entries()) {
    const type = i === 0 ? 'touchStart' : 'touchMove';
    await fingers.send('Input.dispatchTouchEvent', { type, touchPoints });
  }
  await fingers.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await fingers.detach();
}

const ways = (from: number, to: number) => [0, 0.25, 0.5, 0.75, 1].map((part) => from + (to - from) * part);

/** Two fingers around the centre, with the given distances. */
function pinch(page: Page, from: number, to: number): Promise<void> {
  const apart = ways(from, to).map((px) => [640 - px / 2, 640 + px / 2].map((x) => ({ x, y: 400 })));
  return touch(page, apart);
}

function swipe(page: Page, from: number, to: number): Promise<void> {
  return touch(
    page,
    ways(from, to).map((x) => [{ x, y: 400 }]),
  );
}

test('[V-16] media shows as an image, a video or a link, by its type, and only if the page may load it', async ({
  page,
}) => {
  const kinds = [
    ['image/webp', '/favicon.svg', 'lighthouse.webp'],
    ['video/mp4', '/favicon.svg', 'film.mp4'],
    ['application/pdf', '/favicon.svg', 'letter.pdf'],
    ['application/pdf', 'javascript:alert(1)', 'trap.pdf'],
  ];
  await startChat(page, createInvite(createHandler().alias), 'Jonas');
  for (const [type = ''] of kinds) await send(page, type);
  await expect(page.getByText('Sent')).toBeVisible();
  // The product cannot send videos and files, so the test adds such media to stored messages on their way to the page.
  (await holdLine(page)).onDown = (text) => {
    const frame = JSON.parse(text) as { type: string; messages?: object[] };
    if (frame.type !== 'watched') return text;
    const messages = frame.messages?.map((message, i) => {
      const [mediaType, mediaUrl, fileName] = kinds[i] ?? [];
      return { ...message, text: '', mediaUrl, mediaType, fileName };
    });
    return JSON.stringify({ ...frame, messages });
  };
  await page.reload();
  const media = bubbles(page).locator('img, video, a');
  await expect(media).toHaveCount(4);
  expect(await media.evaluateAll((all) => all.map(({ tagName }) => tagName))).toEqual([
    'IMG',
    'VIDEO',
    'A',
    'A',
  ]);
  await expect(media.first()).toHaveAttribute('alt', 'Your image: lighthouse.webp');
  await expect(media.nth(1)).toHaveAttribute('src', '/favicon.svg');
  await expect(media.nth(2)).toHaveText('letter.pdf');
  await expect(media.nth(2)).toHaveAttribute('href', '/favicon.svg');
  await expect(media.last()).not.toHaveAttribute('href');
});

test('[UI-04] an image that was just sent is saved as a file, by the page itself', async ({ page }) => {
  test.setTimeout(LONG_MS);
  await startChat(page, createInvite(createHandler().alias), 'Jonas');
  const file = await drawing('letter', 'the letter.jpg', 400);
  await pick(page, file);
  await submit(page).click();
  await expectImages(page, 'out', 1);
  await page.locator('[data-image]').click();
  await expect(viewer(page).getByRole('img')).toHaveAttribute('src', /^blob:/);
  const tabs: unknown[] = [];
  page.context().on('page', (opened) => tabs.push(opened));
  const [saved] = await Promise.all([
    page.waitForEvent('download'),
    viewer(page).getByRole('button', { name: 'Save image' }).click(),
  ]);
  expect(saved.suggestedFilename()).toBe(file.name);
  expect(await readFile(await saved.path())).toEqual(file.buffer);
  expect(tabs).toEqual([]);
});
