import { IMAGE_MAX_BYTES, mediaUrl } from '@settee/protocol/model/media';
import { texts } from '@settee/protocol/texts/texts';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { fakeClock } from '../../../test/fakeClock.ts';
import type { Api } from '../../net/api.ts';
import { depthAfter, pastedFiles } from './pick/FileField.tsx';
import { type ImageFile, looksLikeHeic, readImageFile, typeOfBytes } from './pick/imageFile.ts';
import { imageFrame } from './pick/imageFrame.ts';
import { imageLabel, megabytes, progress } from './pick/imageLabel.ts';
import { startPicks } from './pick/pickStore.ts';
import { startMediaAddresses } from './show/mediaAddress.ts';
import { FIT, panBy, zoomTo } from './show/zoom.ts';

const picture = new File(['x'], 'image.png', { type: 'image/png' });
const paste = (...types: string[]) => pastedFiles({ files: [picture] as unknown as FileList, types });

test('a pasted image is accepted; text that comes with an image of itself stays text', () => {
  expect(paste('Files')).toEqual([picture]);
  // An image copied in a browser; a file copied in a file manager.
  expect(paste('text/html', 'Files')).toEqual([picture]);
  expect(paste('text/plain', 'Files')).toEqual([picture]);
  expect(paste('text/plain', 'text/html', 'text/rtf', 'Files')).toEqual([]);
});

/** Whether a file is over the page after each event. */
function overAfter(...types: string[]): boolean[] {
  let depth = 0;
  return types.map((type) => {
    depth = depthAfter(depth, type);
    return depth > 0;
  });
}

test('a file counts as over the page from the first element to the last, without flicker', () => {
  const [enter, over, leave] = ['dragenter', 'dragover', 'dragleave'] as const;
  expect(overAfter(enter, over, enter, leave, over, leave)).toEqual([true, true, true, true, true, false]);
  expect(overAfter(enter, over, 'drop', enter, leave)).toEqual([true, true, false, true, false]);
  // The end of the drag was missed: the pointer moves again.
  expect(overAfter(enter, enter, 'pointermove')).toEqual([true, true, false]);
});

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
  ['\0\0\0\u0018ftypavif', undefined],
  ['', undefined],
])('[C-03] bytes that begin with %j are %s', (start, type) => {
  expect(typeOfBytes(bytes(start))).toBe(type);
});

test('[C-03] the bytes decide the type of a file without a type or with a wrong one', async () => {
  expect(await readImageFile(file(PNG, 'a', ''))).toMatchObject({ type: 'image/png' });
  expect(await readImageFile(file(JPEG, 'a.png', 'image/png'))).toMatchObject({ type: 'image/jpeg' });
});

test('[C-04] under 10 MB, and not a byte more', async () => {
  const sized = (size: number) =>
    new File([bytes(PNG), new Uint8Array(size - PNG.length)], 'a.png', { type: 'image/png' });
  expect(await readImageFile(sized(IMAGE_MAX_BYTES - 1))).toMatchObject({ type: 'image/png' });
  expect(await readImageFile(sized(IMAGE_MAX_BYTES))).toBe(texts.imageTooLarge);
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

const height = ({ width, aspectRatio }: { width: number; aspectRatio: number }) => width / aspectRatio;

test('an image has its place before it loads: in proportion, within 320 by 360', () => {
  expect(imageFrame({ width: 4_000, height: 3_000 })).toEqual({ width: 320, aspectRatio: 4 / 3 });
  expect(height(imageFrame({ width: 3_000, height: 4_000 }))).toBeCloseTo(360, 0);
});

test('a long strip is cropped, a tiny image gets room, and an unknown size has a place too', () => {
  expect(height(imageFrame({ width: 9_000, height: 100 }))).toBeCloseTo(133, 0);
  expect(imageFrame({ width: 1_000, height: 9_000 })).toEqual({ width: 180, aspectRatio: 0.5 });
  expect(imageFrame({ width: 16, height: 16 })).toEqual({ width: 132, aspectRatio: 1 });
  expect(imageFrame({})).toEqual({ width: 240, aspectRatio: 1.5 });
});

test('an image is named after its sender, and its file if a person named that', () => {
  expect(imageLabel('image.webp', false, 'Mara')).toBe('Image from Mara');
  expect(imageLabel('lighthouse at night.jpg', true, '')).toBe('Your image: lighthouse at night.jpg');
  expect(imageLabel('скала.png', false, 'V-1')).toBe('Image from V-1: скала.png');
});

test.each(['IMG_2034.jpeg', 'DSC01234.JPG', '20240101_101010.jpg', 'a3f0-bb12.png', 'image.png', ''])(
  '%j is not a name',
  (fileName) => expect(imageLabel(fileName, true, '')).toBe('Your image'),
);

test('[V-17] a size is in MB with one decimal, and never zero', () => {
  expect(megabytes(2_621_440)).toBe('2.5 MB');
  expect(megabytes(10_485_759)).toBe('10.0 MB');
  expect(megabytes(60_000)).toBe('0.1 MB');
  expect(megabytes(19)).toBe('< 0.1 MB');
});

test('the progress of an upload: 1.6 of 2.5 MB', () => {
  expect(progress(1_677_722, 2_621_440)).toBe('1.6 of 2.5 MB');
  expect(progress(0, 800)).toBe('0.0 of 0.1 MB');
});

describe('picked files', () => {
  type Answer = (image: ImageFile | string) => void;

  /** The test decides when files are checked. */
  function setUp() {
    const asked: { file: File; answer: Answer; fail: (error: Error) => void }[] = [];
    const picks = startPicks((file) => new Promise((answer, fail) => asked.push({ file, answer, fail })));
    const taken: string[] = [];
    const open = async () => ({ addRead: ({ file }: ImageFile) => void taken.push(file.name) });
    const names = () => picks.state().images.map(({ file }) => file.name);
    async function check(problem?: string): Promise<void> {
      await settled();
      const next = asked.at(-1);
      next?.answer(problem ?? imageOf(next.file));
      await settled();
    }
    return { ...picks, asked, taken, open, names, check };
  }

  const settled = () => new Promise((resolve) => setTimeout(resolve));

  const files = (...names: string[]) => names.map((name) => new File(['x'], name));

  const imageOf = (file: File): ImageFile => ({ file, type: 'image/png', width: 2, height: 1 });

  test('all are sent in one step: pressed again, or in another composer, none is sent twice', async () => {
    const { add, check, remove, state, handTo, open, taken } = setUp();
    add(files('a', 'b', 'c'));
    for (let n = 0; n < 3; n += 1) await check();
    const opened = Promise.withResolvers<Awaited<ReturnType<typeof open>>>();
    const first = handTo(() => opened.promise);
    const second = handTo(() => opened.promise);
    // Until they are handed on, an image can still be removed.
    const [, b] = state().images;
    if (b) remove(b);
    opened.resolve(await open());
    await Promise.all([first, second]);
    expect([taken, state().images]).toEqual([['a', 'c'], []]);
  });

  test('a refusal stays while more images are picked, and all are checked before they are sent', async () => {
    const { add, check, whenChecked, state } = setUp();
    add(files('a', 'b'));
    const checked = whenChecked();
    await check('too large');
    add(files('c'));
    for (let n = 0; n < 2; n += 1) await check();
    expect(await checked).toBe(false);
    expect(state()).toMatchObject({ checking: 0, problem: 'too large' });
    add(files('d'));
    expect(state().problem).toBeNull();
  });

  test('[C-03] a script that does not load shows an error and ends the wait', async () => {
    const { add, asked, whenChecked, state } = setUp();
    add(files('a'));
    await settled();
    asked[0]?.fail(new Error('offline'));
    expect(await whenChecked()).toBe(false);
    expect(state()).toEqual({ images: [], checking: 0, problem: texts.networkError });
  });
});

describe('addresses of images', () => {
  const ID = 'c0000000-0000-4000-8000-000000000000';

  const PICTURE = mediaUrl(ID, 'd0000000-0000-4000-8000-000000000001');

  const OTHER = mediaUrl(ID, 'd0000000-0000-4000-8000-000000000002');

  const lost = { ok: false, code: undefined, text: '', status: 0, answer: undefined };

  function setUp() {
    const clock = fakeClock();
    const asked: string[] = [];
    let answer: unknown;
    const api = (async (_name: string, { params }: { params: { mediaId: string } }) => {
      asked.push(params.mediaId.slice(-1));
      const url = `address ${asked.length}`;
      return answer ?? { ok: true, answer: { success: true, url, expiresAt: 0 } };
    }) as unknown as Api<'readMedia'>;
    const addresses = startMediaAddresses({
      conversationId: ID,
      api,
      clock,
      random: () => 1,
      onLine: () => () => {},
    });
    return {
      clock,
      asked,
      addresses,
      answerWith(next: unknown) {
        answer = next;
      },
    };
  }

  test('parallel requests share one URL, which is kept until shortly before it expires', async () => {
    const { addresses, asked, clock } = setUp();
    expect(addresses.known(PICTURE)).toBeUndefined();
    const all = await Promise.all([addresses.get(PICTURE), addresses.get(PICTURE), addresses.get(OTHER)]);
    expect(new Set(all).size).toBe(2);
    expect(all[0]).toBe(all[1]);
    expect(asked).toEqual(['1', '2']);
    await clock.pass(269_000);
    expect(addresses.known(PICTURE)).toBe(all[0]);
    await clock.pass(1_000);
    expect(addresses.known(PICTURE)).toBeUndefined();
    await addresses.get(PICTURE);
    expect(asked).toEqual(['1', '2', '1']);
  });

  test('[L-06] a lost connection is retried for two minutes, then only on request', async () => {
    const { addresses, asked, clock, answerWith } = setUp();
    answerWith(lost);
    let got: unknown = 'waiting';
    const asking = () =>
      void addresses.get(PICTURE).then((address) => {
        got = address;
      });
    asking();
    await clock.pass(100_000);
    expect(got).toBe('waiting');
    await clock.pass(60_000);
    expect(got).toBeUndefined();
    const tries = asked.length;
    await clock.pass(600_000);
    expect(asked).toHaveLength(tries);
    answerWith(undefined);
    asking();
    await clock.pass(0);
    expect(got).toMatch(/^address/);
  });
});

const room = { picture: { width: 400, height: 200 }, stage: { width: 400, height: 600 } };

test('the image never leaves the stage, grows to six times and returns to the middle', () => {
  const large = zoomTo(FIT, 99, { x: 0, y: 0 }, room);
  expect(large.scale).toBe(6);
  expect(panBy(large, { x: 9_999, y: -9_999 }, room)).toEqual({ scale: 6, x: 1_000, y: -300 });
  expect(zoomTo(panBy(large, { x: 500, y: 0 }, room), 0.1, { x: 50, y: 50 }, room)).toEqual(FIT);
});
