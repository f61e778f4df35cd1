import { IMAGE_MAX_BYTES } from '@settee/protocol/model/media';
import { texts } from '@settee/protocol/texts/texts';
import { afterEach, expect, test, vi } from 'vitest';
import { looksLikeHeic, readImageFile, typeOfBytes } from './imageFile.ts';

const JPEG = '\u00FF\u00D8\u00FF\u00E0';
const PNG = '\u0089PNG\r\n\u001A\n';
const WEBP = 'RIFF\0\0\0\0WEBPVP8 ';
const HEIC = '\0\0\0\u0018ftypheic\0\0\0\0';

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0));
const file = (content: string, name: string, type: string) => new File([bytes(content)], name, { type });

afterEach(() => {
  vi.unstubAllGlobals();
});

test.each([
  [JPEG, 'image/jpeg'],
  [PNG, 'image/png'],
  ['GIF87a...', 'image/gif'],
  ['GIF89a...', 'image/gif'],
  [WEBP, 'image/webp'],
  ['RIFF\0\0\0\0WAVE', undefined],
  ['<svg xmlns', undefined],
  ['', undefined],
])('[C-03] bytes that begin with %j are %s', (start, type) => {
  expect(typeOfBytes(bytes(start))).toBe(type);
});

test('[C-03] the bytes decide the type of a file without a type or with a wrong one', async () => {
  expect(await readImageFile(file(PNG, 'a', ''))).toMatchObject({ type: 'image/png' });
  expect(await readImageFile(file(JPEG, 'a.png', 'image/png'))).toMatchObject({ type: 'image/jpeg' });
});

test.each([
  ['a text', file('hello', 'a.txt', 'text/plain')],
  ['an unknown file', file('hello', 'a', '')],
  ['a drawing', file('<svg/>', 'a.svg', 'image/svg+xml')],
  ['an AVIF', file('\0\0\0\u0018ftypavif', 'a.avif', 'image/avif')],
])('[C-03] %s is refused', async (_, picked) => {
  expect(await readImageFile(picked)).toBe(texts.imageWrongType);
});

test('[C-04] under 10 MB, and not a byte more', async () => {
  const sized = (size: number) =>
    new File([bytes(PNG), new Uint8Array(size - PNG.length)], 'a.png', { type: 'image/png' });
  expect(await readImageFile(sized(IMAGE_MAX_BYTES - 1))).toMatchObject({ type: 'image/png' });
  expect(await readImageFile(sized(IMAGE_MAX_BYTES))).toBe(texts.imageTooLarge);
});

test('an image that the browser cannot measure has no dimensions', async () => {
  vi.stubGlobal('createImageBitmap', async () => Promise.reject(new Error('broken')));
  expect(await readImageFile(file(PNG, 'a.png', 'image/png'))).toMatchObject({ width: 0, height: 0 });
  vi.stubGlobal('createImageBitmap', async () => ({ width: 30, height: 20, close() {} }));
  expect(await readImageFile(file(PNG, 'a.png', 'image/png'))).toMatchObject({ width: 30, height: 20 });
});

test.each([
  ['by its type', file('', 'photo', 'image/heic')],
  ['by its type, HEIF', file('', 'photo', 'image/heif')],
  ['by its name', file('', 'IMG_0001.HEIC', '')],
  ['by its bytes', file(HEIC, 'photo', '')],
])('an iPhone’s photo is recognised %s', async (_, picked) => {
  const head = new Uint8Array(await picked.arrayBuffer());
  expect(looksLikeHeic(picked, head)).toBe(true);
});

test('a browser that cannot read HEIC refuses it like any other type', async () => {
  expect(await readImageFile(file(HEIC, 'IMG.HEIC', 'image/heic'))).toBe(texts.imageWrongType);
});

test('a browser that can read HEIC makes a JPEG, smaller if the canvas or the file would be too large', async () => {
  const drawn: [number, number][] = [];
  let outcomes: (Blob | null)[] = [];
  vi.stubGlobal('createImageBitmap', async () => ({ width: 8_000, height: 6_000, close() {} }));
  vi.stubGlobal('document', {
    createElement: () => ({
      width: 0,
      height: 0,
      getContext: () => ({
        drawImage: (_b: unknown, _x: 0, _y: 0, w: number, h: number) => drawn.push([w, h]),
      }),
      toBlob: (done: (blob: Blob | null) => void) => done(outcomes.shift() ?? null),
    }),
  });
  outcomes = [null, new Blob([bytes(JPEG)])];
  const read = await readImageFile(file(HEIC, 'IMG_1.HEIC', 'image/heic'));
  expect(read).toMatchObject({
    type: 'image/jpeg',
    file: { name: 'IMG_1.jpg', type: 'image/jpeg', size: 4 },
  });
  expect(drawn.map(([w, h]) => Math.round((w * h) / 1e6))).toEqual([40, 16]);
  outcomes = [null, null, null];
  expect(await readImageFile(file(HEIC, 'IMG_1.HEIC', 'image/heic'))).toBe(texts.imageWrongType);
});
