import { texts } from '@settee/protocol/texts/texts';
import { browserBundle } from '../../tools/browserBundle.ts';
import { uploadStoreContract } from '../../web/test/uploadStoreContract.ts';
import { expect, test } from './watched.ts';

let script = '';

test.beforeAll(async () => {
  script = await browserBundle(`${import.meta.dirname}/../../web/test/uploadsInBrowser.ts`, 'uploads');
});

test('[MEDIA-17] uploads in IndexedDB keep the contract, and mark that there is something to resume', async ({
  browser,
}) => {
  for (const promise of Object.keys(uploadStoreContract)) {
    // A new context has an empty database.
    const page = await (await browser.newContext()).newPage();
    await page.goto('/');
    await page.evaluate(`${script}; uploads.keeps(${JSON.stringify(promise)})`);
    await page.context().close();
  }
  const page = await (await browser.newContext()).newPage();
  await page.goto('/');
  expect(await page.evaluate(`${script}; uploads.marks()`)).toEqual([false, true, false]);
  expect(await page.evaluate(`${script}; uploads.sweeps()`)).toEqual(['owner-a 60000', 'owner-b 60000']);
});

test('[L-06] a file is uploaded with its type and no token; a refusal, a lost and a stalled connection end it', async ({
  page,
}) => {
  await page.goto('/');
  const headers: Record<string, string>[] = [];
  await page.route('**/store/taken', async (route) => {
    headers.push(await route.request().allHeaders());
    await route.fulfill({ status: 200 });
  });
  await page.route('**/store/refused', (route) => route.fulfill({ status: 403 }));
  await page.route('**/store/lost', (route) => route.abort());
  await page.route('**/store/silent', () => {});

  const put = (to: string, more = '') =>
    page.evaluate(`${script}; uploads.puts('/store/${to}', 1000${more})`) as Promise<{
      result: string;
      progress: number[];
    }>;
  const taken = await put('taken');
  expect(taken.result).toBe('stored');
  expect(headers[0]).toMatchObject({ 'content-type': 'image/png' });
  expect(headers[0]).not.toHaveProperty('authorization');
  expect(headers[0]).not.toHaveProperty('referer');
  expect((await put('refused')).result).toBe('refused');
  // The real gateway refuses this one: only a real connection reports progress.
  expect(await put('nowhere')).toMatchObject({ result: 'refused', progress: expect.arrayContaining([1000]) });
  expect((await put('lost')).result).toBe('lost');
  expect((await put('silent', ', 50')).result).toBe('lost');

  await page.clock.install();
  const stalled = put('silent');
  await page.waitForRequest('**/store/silent');
  // Bytes in send buffers report no progress, so a silence as long as on a slow connection must not end the upload.
  await page.clock.fastForward(4 * 60_000);
  expect(await Promise.race([stalled, page.evaluate(() => 'under way')])).toBe('under way');
  await page.clock.fastForward(61_000);
  expect((await stalled).result).toBe('lost');
});

test('[C-03] [MEDIA-19] the browser measures an image, and refuses a HEIC photo that it cannot read', async ({
  page,
}) => {
  await page.goto('/');
  const read = (bytes: string, name: string, type: string) =>
    page.evaluate(`${script}; uploads.reads('${bytes}', '${name}', '${type}')`);
  const gif = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';
  expect(await read(gif, 'a.gif', '')).toEqual(['a.gif', 'image/gif', 1, 1]);
  const heic = Buffer.from('\0\0\0\u0018ftypheic\0\0\0\0mif1heic').toString('base64');
  expect(await read(heic, 'IMG_1.HEIC', 'image/heic')).toBe(texts.imageWrongType);
});
