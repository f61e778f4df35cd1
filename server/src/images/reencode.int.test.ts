import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { fullSize, isFull } from '../../../tools/fullSize.ts';
import {
  flatPng,
  gifExtension,
  gifWith,
  jpegSegment,
  jpegWith,
  pngChunk,
  pngWith,
  webpChunk,
  webpOf,
} from '../../test/images/made.ts';
import { partsOf, strangeParts } from '../../test/images/parts.ts';
import { animation, KINDS, patient, pattern, still } from '../../test/images/samples.ts';
import { allowOnlyLoader, draw } from './draw.ts';
import type { Kind } from './kinds.ts';
import { SIDE_MAX } from './limits.ts';
import { type ReencodeResult, reencode } from './reencode.ts';

async function drawn(file: Buffer, kind: string): Promise<Extract<ReencodeResult, { ok: true }>> {
  const answer = await reencode(file, `image/${kind}`, patient);
  if (!answer.ok) expect.fail(answer.reason);
  expect(answer.type).toBe(`image/${kind}`);
  expect(strangeParts(answer.bytes)).toEqual([]);
  return answer;
}

function flat(width: number, height: number, background = '#1e90ff') {
  return sharp({ create: { width, height, channels: 4, background } });
}

describe('[MEDIA-13] the re-encoded image', () => {
  test.each(KINDS)('a %s keeps its type, size and appearance', async (kind) => {
    const file = await still(kind, 60, 40);
    const picture = await drawn(file, kind);
    expect([picture.width, picture.height]).toEqual([60, 40]);
    const pixels = (bytes: Uint8Array) => sharp(bytes).flatten({ background: '#fff' }).raw().toBuffer();
    const [before, after] = [await pixels(file), await pixels(picture.bytes)];
    expect(after.length).toBe(before.length);
    const off =
      before.reduce((sum, value, at) => sum + Math.abs(value - (after[at] ?? 0)), 0) / before.length;
    expect(off).toBeLessThan(['png', 'gif'].includes(kind) ? 0.01 : 12);
    // Transparent parts stay transparent.
    const { data, info } = await sharp(picture.bytes).raw().toBuffer({ resolveWithObject: true });
    const alpha = (x: number, y: number) => data[(y * 60 + x) * info.channels + 3];
    if (kind !== 'jpeg') expect([info.channels, alpha(3, 20), alpha(50, 20)]).toEqual([4, 0, 255]);
  });

  test.each(KINDS)('a %s that is too wide is scaled down, and keeps at least one pixel', async (kind) => {
    const wide = await drawn(
      await flat(2 * SIDE_MAX, 100)
        .toFormat(kind)
        .toBuffer(),
      kind,
    );
    expect([wide.width, wide.height]).toEqual([SIDE_MAX, 50]);
    const line = await drawn(await flat(2, 9_000).toFormat(kind).toBuffer(), kind);
    expect([line.width, line.height]).toEqual([1, SIDE_MAX]);
  });

  test.each(['gif', 'webp'] as const)('an animated %s stays animated', async (kind) => {
    const file = await animation(kind, 6);
    const { bytes, width, height } = await drawn(file, kind);
    expect([width, height]).toEqual([40, 24]);
    const { pages, delay, loop } = await sharp(bytes, { animated: true }).metadata();
    expect({ pages, delay, loop }).toEqual({ pages: 6, delay: [50, 60, 70, 80, 90, 50], loop: 3 });
  });
});

describe('[MEDIA-14] the largest allowed images', () => {
  test('a PNG of 40 megapixels', async () => {
    const { width, height } = await drawn(flatPng(8_000, 5_000), 'png');
    expect([width, height]).toEqual([SIDE_MAX, 1_600]);
  });

  /** A rotated camera image must be held in memory completely. Temporary files are not allowed. */
  test.runIf(isFull).each(['jpeg', 'png'] as const)(
    'a %s of 40 megapixels, interlaced and rotated',
    async (kind) => {
      const file = await flat(8_000, 5_000)
        .withMetadata({ orientation: 6 })
        .toFormat(kind, { progressive: true })
        .toBuffer();
      const { width, height } = await drawn(file, kind);
      expect([width, height]).toEqual([1_600, SIDE_MAX]);
    },
  );

  test.each(fullSize(['gif'] as const, ['gif', 'webp'] as const))('a %s of 200 frames', async (kind) => {
    const { bytes } = await drawn(await animation(kind, 200, 16, 12), kind);
    expect((await sharp(bytes, { animated: true }).metadata()).pages).toBe(200);
  });
});

// The next test runs in the same process.
afterEach(() => {
  sharp.unblock({ operation: ['VipsForeignLoad'] });
});

const CANARY = 'C4N4RY-of-Ada';
const DENSITY = 4_321;
const canary = Buffer.from(CANARY);
const xmp = `<x:xmpmeta xmlns:x="adobe:ns:meta/">${CANARY}</x:xmpmeta>`;

/** Metadata of cameras and programs, as far as sharp can write it. */
async function tagged(kind: Kind): Promise<Buffer> {
  const file = pattern(48, 32)
    .withIccProfile('p3')
    .withMetadata({ density: DENSITY })
    .withExifMerge({
      IFD0: { Make: CANARY, Model: CANARY, Artist: CANARY, ImageDescription: `/home/ada/${CANARY}.jpg` },
      IFD2: { UserComment: CANARY, DateTimeOriginal: '2026:11:15 12:00:00' },
      IFD3: { GPSLatitudeRef: 'N', GPSLatitude: '51/1 30/1 3230/100', GPSLongitudeRef: 'W' },
    })
    .withXmp(xmp)
    .toFormat(kind);
  return file.toBuffer();
}

/** Metadata that sharp cannot write. */
const makers: Record<Kind, () => Promise<Buffer>> = {
  async jpeg() {
    const iptc = Buffer.concat([
      Buffer.from('Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0\x12\x1c\x02\x78\0\x0d'),
      canary,
    ]);
    const segments = [
      jpegSegment(0xed, iptc),
      jpegSegment(0xfe, canary),
      jpegSegment(0xee, Buffer.concat([Buffer.from('Adobe2'), canary])),
      jpegSegment(0xe4, canary),
    ];
    return Buffer.concat([jpegWith(await tagged('jpeg'), segments), canary]);
  },
  async png() {
    const text = (name: string, ...parts: Uint8Array[]) => pngChunk(name, Buffer.concat(parts));
    const squeezed = deflateSync(canary);
    const chunks = [
      text('tEXt', Buffer.from('Author\0'), canary),
      text('zTXt', Buffer.from('Comment\0\0'), squeezed),
      text('iTXt', Buffer.from('Title\0\x01\0\0\0'), squeezed),
      text('tIME', Buffer.from([7, 234, 11, 15, 12, 0, 0])),
      text('prVt', canary),
    ];
    return Buffer.concat([pngWith(await tagged('png'), chunks), canary]);
  },
  async gif() {
    const plainText = Buffer.concat([Buffer.alloc(12), canary]);
    const application = Buffer.concat([Buffer.from('XMP DataXMP'), Buffer.from(xmp)]);
    const extensions = [
      gifExtension(0xfe, canary),
      gifExtension(0x01, plainText),
      gifExtension(0xff, application),
      gifExtension(0x77, canary),
    ];
    return Buffer.concat([gifWith(await still('gif'), extensions), canary]);
  },
  async webp() {
    const file = await tagged('webp');
    const chunks = [file.subarray(12), webpChunk('PRVT', canary)];
    return Buffer.concat([webpOf(chunks), canary]);
  },
};

const files = new Map<Kind, Buffer>();
beforeAll(async () => {
  for (const kind of KINDS) files.set(kind, await makers[kind]());
});

function expectNoMetadata(picture: Uint8Array): void {
  const bytes = Buffer.from(picture);
  // No shorter words: three bytes can occur in pixels by chance.
  for (const word of [CANARY, 'Exif', 'xmpmeta', 'adobe', 'ICC_PROFILE', 'Photoshop', '8BIM', '2026']) {
    expect(bytes.includes(word), word).toBe(false);
  }
  expect(strangeParts(picture)).toEqual([]);
}

describe('[MEDIA-13] only pixels remain', () => {
  test.each(KINDS)('of a %s full of metadata', async (kind) => {
    const file = files.get(kind) ?? Buffer.alloc(0);
    // Without these parts the test would prove nothing.
    expect(strangeParts(file).length).toBeGreaterThanOrEqual(5);
    expect(file.includes(CANARY)).toBe(true);

    const drawn = await reencode(file, `image/${kind}`, patient);
    if (!drawn.ok) expect.fail(drawn.reason);
    expectNoMetadata(drawn.bytes);
    const { density, exif, icc, iptc, xmp, comments, orientation } = await sharp(drawn.bytes).metadata();
    expect({ exif, icc, iptc, xmp, comments, orientation }).toEqual({});
    expect(density).not.toBe(DENSITY);
  });

  test.each(['gif', 'webp'] as const)('of an animated %s', async (kind) => {
    const quiet = await animation(kind, 4);
    const chatty =
      kind === 'gif'
        ? gifWith(quiet, [gifExtension(0xfe, canary), gifExtension(0xff, Buffer.from(`ADOBE  1.0${CANARY}`))])
        : webpOf([quiet.subarray(12), webpChunk('EXIF', canary), webpChunk('XMP ', Buffer.from(xmp))]);
    const drawn = await reencode(chatty, `image/${kind}`, patient);
    if (!drawn.ok) expect.fail(drawn.reason);
    expectNoMetadata(drawn.bytes);
    expect(partsOf(drawn.bytes).filter((part) => part === 'frame' || part === 'ANMF')).toHaveLength(4);
  });
});

describe('[MEDIA-13] images are turned upright', () => {
  /** The left half is red, the right half is blue. After its turn it is at the top, bottom or right. */
  test.each([
    [1, 96, 64, 'left'],
    [3, 96, 64, 'right'],
    [6, 64, 96, 'top'],
    [8, 64, 96, 'bottom'],
  ] as const)('orientation %i', async (orientation, width, height, red) => {
    const blank = { width: 96, height: 64, channels: 3 as const, background: '#0000ff' };
    const half = { create: { ...blank, width: 48, background: '#ff0000' } };
    const stored = await sharp({ create: blank })
      .composite([{ input: half, left: 0, top: 0 }])
      .withMetadata({ orientation })
      .jpeg()
      .toBuffer();
    allowOnlyLoader('jpeg');
    const answer = await draw(stored, 'jpeg');
    if ('reason' in answer) expect.fail(answer.reason);
    const { picture } = answer;
    expect([picture.width, picture.height]).toEqual([width, height]);
    const raw = await sharp(picture.bytes).raw().toBuffer();
    const isRed = (x: number, y: number) => (raw[(y * width + x) * 3] ?? 0) > 128;
    const sides = {
      left: isRed(4, height / 2),
      right: isRed(width - 4, height / 2),
      top: isRed(width / 2, 4),
      bottom: isRed(width / 2, height - 4),
    };
    expect(sides[red]).toBe(true);
  });
});
