import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  gifExtension,
  gifWith,
  jpegSegment,
  jpegWith,
  pngChunk,
  pngWith,
  webpChunk,
  webpOf,
} from '../../../test/images/made.ts';
import { partsOf, strangeParts } from '../../../test/images/parts.ts';
import { patient } from '../../../test/images/patient.ts';
import { animation, KINDS, pattern, still } from '../../../test/images/samples.ts';
import { allowOnlyLoader, draw } from './draw.ts';
import type { Kind } from './kinds.ts';
import { reencode } from './reencode.ts';

// The next file runs in the same process.
afterAll(() => {
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

/** For each orientation, which stored corner appears at top left, top right, bottom left and bottom right. */
const SEEN: Record<number, string> = {
  1: 'rgbw',
  2: 'grwb',
  3: 'wbgr',
  4: 'bwrg',
  5: 'rbgw',
  6: 'brwg',
  7: 'wgbr',
  8: 'gwrb',
};
const COLOURS: Record<string, [number, number, number]> = {
  r: [230, 20, 20],
  g: [20, 200, 20],
  b: [20, 20, 230],
  w: [250, 250, 250],
};

describe('[MEDIA-13] images are turned upright', () => {
  const corner = (letter: string, left: number, top: number) => ({
    input: { create: { width: 48, height: 32, channels: 3 as const, background: rgb(letter) } },
    left,
    top,
  });
  const rgb = (letter: string) => {
    const [r = 0, g = 0, b = 0] = COLOURS[letter] ?? [];
    return { r, g, b };
  };
  const nearest = (pixel: number[]): string =>
    Object.entries(COLOURS)
      .map(([letter, colour]) => ({
        letter,
        far: colour.reduce((sum, v, i) => sum + Math.abs(v - (pixel[i] ?? 0)), 0),
      }))
      .toSorted((a, b) => a.far - b.far)[0]?.letter ?? '';

  test.each(Object.keys(SEEN).map(Number))('orientation %i', async (orientation) => {
    for (const kind of ['jpeg', 'webp'] as const) {
      const stored = await sharp({ create: { width: 96, height: 64, channels: 3, background: '#000' } })
        .composite([corner('r', 0, 0), corner('g', 48, 0), corner('b', 0, 32), corner('w', 48, 32)])
        .withMetadata({ orientation })
        .toFormat(kind)
        .toBuffer();
      allowOnlyLoader(kind);
      const answer = await draw(stored, kind);
      if ('reason' in answer) expect.fail(answer.reason);
      const { bytes, width, height } = answer.picture;
      expect([width, height]).toEqual(orientation >= 5 ? [64, 96] : [96, 64]);
      const raw = await sharp(bytes).raw().toBuffer();
      const at = (x: number, y: number) =>
        nearest([...raw.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)]);
      const seen = at(8, 8) + at(width - 8, 8) + at(8, height - 8) + at(width - 8, height - 8);
      expect(seen, kind).toBe(SEEN[orientation]);
    }
  });
});
