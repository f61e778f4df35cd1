import { readFileSync } from 'node:fs';
import { deflateSync } from 'node:zlib';
import { IMAGE_MAX_BYTES } from '@settee/protocol/model/media';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { fullSize, seedOr } from '../../../tools/fullSize.ts';
import { flatPng, pngChunk, pngWith, tinyGif, tinyWebp } from '../../test/images/made.ts';
import { ManyDrawn } from '../../test/images/manyDrawn.ts';
import { mutant } from '../../test/images/mutants.ts';
import { strangeParts } from '../../test/images/parts.ts';
import { animation, KINDS, ownChildren, patient, pattern, still } from '../../test/images/samples.ts';
import { seededRandom } from '../../test/support/seededRandom.ts';
import { allowOnlyLoader, draw } from './draw.ts';
import { kindOf, typeOf } from './kinds.ts';
import { FRAMES_MAX, MEMORY_MAX_BYTES, OUTPUT_MAX_BYTES, PIXELS_MAX, SIDE_MAX } from './limits.ts';
import { reencode } from './reencode.ts';

const MEGABYTE = 1_048_576;

const HUGE = { width: 65_535, height: 65_535 };

test.each<[string, () => Promise<Buffer> | Buffer, string, string]>([
  ['PNG of 64 megapixels', () => flatPng(8_000, 8_000), 'png', 'too many pixels'],
  ['PNG of one endless row', () => flatPng(524_312, 16), 'png', 'too many pixels'],
  ['PNG that claims 2³¹ pixels a side', () => claimed(0x7fff_ffff), 'png', 'not decodable'],
  ['GIF of 201 frames', () => tinyGif(201), 'gif', 'too many frames'],
  [
    'GIF whose frames have 48 megapixels together',
    () => tinyGif(12, { width: 2_000, height: 2_000 }),
    'gif',
    'too many pixels',
  ],
  ['GIF with a huge frame', () => tinyGif(1, { width: 1, height: 1 }, HUGE), 'gif', 'too many pixels'],
  ['WebP of 10,000 frames', () => tinyWebp(10_000), 'webp', 'too many frames'],
  [
    'WebP with a huge canvas',
    () => tinyWebp(2, { width: 16_383, height: 16_383 }),
    'webp',
    'too many pixels',
  ],
])('[MEDIA-14] %s', async (_what, make, kind, reason) => {
  const drawn = await reencode(await make(), `image/${kind}`, patient);
  expect(drawn).toEqual({ ok: false, reason, retryable: false });
  expect(ownChildren()).toEqual([]);
});

function claimed(side: number): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(side);
  head.writeUInt32BE(side, 4);
  head.set([8, 6, 0, 0, 0], 8);
  const small = flatPng(9, 9);
  return Buffer.concat([small.subarray(0, 8), pngChunk('IHDR', head), small.subarray(33)]);
}

const zeros = (megabytes: number) => deflateSync(Buffer.alloc(megabytes * MEGABYTE), { level: 9 });
const many = (part: Buffer, budget: number) =>
  Array.from({ length: Math.floor(budget / part.length) }, () => part);
const BUDGET = IMAGE_MAX_BYTES - 500_000;

type Bomb = [what: string, make: () => Promise<Buffer>, kind: string];

/** These take long. The profile below is squeezed too. */
const slow: Bomb[] = [
  [
    'JPEG that repeats a scan of 25 megapixels until it is full',
    async () => {
      const file = await sharp({ create: { width: 5_000, height: 5_000, channels: 3, background: '#246' } })
        .jpeg({ progressive: true })
        .toBuffer();
      const last = file.lastIndexOf(Buffer.from([0xff, 0xda]));
      return Buffer.concat([
        file.subarray(0, last),
        ...many(file.subarray(last, -2), BUDGET),
        file.subarray(-2),
      ]);
    },
    'jpeg',
  ],
  [
    'PNG with gigabytes of squeezed text',
    async () => {
      const chunk = pngChunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), zeros(100)]));
      return pngWith(await still('png'), many(chunk, BUDGET));
    },
    'png',
  ],
];

/** These may be accepted or refused, but must stay within time and memory and must not pass anything through. */
test.each<Bomb>([
  ...fullSize([], slow),
  [
    'PNG with a squeezed profile of 100 MB',
    async () => {
      return pngWith(await still('png'), [
        pngChunk('iCCP', Buffer.concat([Buffer.from('x\0\0'), zeros(100)])),
      ]);
    },
    'png',
  ],
  [
    'PNG of a million tiny chunks',
    async () => {
      return pngWith(await still('png'), many(pngChunk('tEXt', Buffer.from('a\0b')), BUDGET));
    },
    'png',
  ],
  ['GIF with a huge screen', async () => tinyGif(1, HUGE), 'gif'],
])('[MEDIA-14] %s', async (_what, make, kind) => {
  const file = await make();
  expect(file.length).toBeLessThanOrEqual(IMAGE_MAX_BYTES);
  const drawn = await reencode(file, `image/${kind}`);
  if (drawn.ok) expect(strangeParts(drawn.bytes)).toEqual([]);
  else expect(drawn.reason).toMatch(/^(?:not decodable|out of time|too slow|out of memory|too many pixels)$/);
  expect(ownChildren()).toEqual([]);
});

// The next test runs in the same process.
afterEach(() => {
  sharp.unblock({ operation: ['VipsForeignLoad'] });
});

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';

const notImages: [what: string, bytes: Buffer][] = [
  ['nothing', Buffer.alloc(0)],
  ['eleven bytes', Buffer.from('\x89PNG\r\n\x1a\n...', 'latin1')],
  ['SVG with a script', Buffer.from(SVG)],
  ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['PDF', Buffer.from('%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj')],
  ['ZIP', Buffer.from('PK\x03\x04..............', 'latin1')],
  ['HEIC', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')],
  ['RIFF that is sound', Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1')],
];

describe('a file is refused for its first bytes, before any process starts', () => {
  test.each(notImages)('%s', async (_what, bytes) => {
    for (const kind of KINDS) {
      expect(await reencode(bytes, `image/${kind}`)).toEqual({
        ok: false,
        reason: 'wrong magic',
        retryable: false,
      });
    }
  });

  test('declared as another type', async () => {
    for (const kind of KINDS) {
      const file = await still(kind);
      const others = ['png', 'jpeg', 'gif', 'webp', 'svg+xml', ''].filter((other) => other !== kind);
      for (const other of others) {
        expect(await reencode(file, `image/${other}`)).toEqual({
          ok: false,
          reason: 'wrong magic',
          retryable: false,
        });
      }
    }
  });

  test('one byte too large', async () => {
    const file = Buffer.concat([await still('png'), Buffer.alloc(IMAGE_MAX_BYTES)]);
    expect(await reencode(file, 'image/png')).toEqual({ ok: false, reason: 'too large', retryable: false });
  });
});

describe('forged first bytes', () => {
  test.each(KINDS)('%s magic bytes before other content', async (kind) => {
    const magic = (await still(kind)).subarray(0, 12);
    for (const [, bytes] of notImages) {
      const forged = Buffer.concat([magic, bytes]);
      allowOnlyLoader(kind);
      expect(await draw(forged, kind)).toEqual({ reason: 'not decodable' });
    }
  });

  /** Without the check of the first bytes. */
  test.each(KINDS)('a process for %s can load no other format', async (kind) => {
    const square = () => sharp({ create: { width: 9, height: 9, channels: 3, background: '#abc' } });
    sharp.unblock({ operation: ['VipsForeignLoad'] });
    const others: Buffer[] = [
      Buffer.from(SVG),
      Buffer.from(`<?xml version="1.0"?>${SVG}`),
      await square().tiff().toBuffer(),
      await square().avif({ effort: 0 }).toBuffer(),
      ...(await Promise.all(KINDS.filter((other) => other !== kind).map((other) => still(other)))),
    ];
    for (const other of others) {
      // Proves that the file is decodable when its loader is allowed.
      sharp.unblock({ operation: ['VipsForeignLoad'] });
      await expect(sharp(other).toBuffer()).resolves.toBeDefined();
      allowOnlyLoader(kind);
      await expect(sharp(other).toBuffer()).rejects.toThrow(/unsupported image format/);
      expect(await draw(other, kind)).toEqual({ reason: 'not decodable' });
    }
  });
});

describe('files that are cut short', () => {
  test.each(KINDS)('%s, at twelve positions', async (kind) => {
    const file = await still(kind);
    allowOnlyLoader(kind);
    // The last byte of a GIF and the last chunk of a PNG only mark the end.
    const nothingLost = file.length - { jpeg: 1, png: 12, gif: 1, webp: 1 }[kind];
    for (let cut = 0; cut < 12; cut += 1) {
      const length = 12 + Math.floor(((nothingLost - 13) * cut) / 11);
      expect(await draw(file.subarray(0, length), kind), `${length} of ${file.length}`).toEqual({
        reason: 'not decodable',
      });
    }
  });
});

const MUTANTS = fullSize(60, 2_000);
/** MUTANT_SEED=123 repeats a run. */
const SEED = Number(process.env.MUTANT_SEED ?? seedOr(Date.now) % 1_000_000_000);
const TEST_MS = 300_000;
const CANARY = 'C4N4RY';
let files: Buffer[];
const drawing = new ManyDrawn();
beforeAll(async () => {
  const tag = { exif: { IFD0: { Make: CANARY } } };
  files = [
    ...(await Promise.all(KINDS.map((kind) => still(kind, 24, 16)))),
    await animation('gif', 4, 16, 12),
    await animation('webp', 4, 16, 12),
    await pattern(24, 16).withMetadata(tag).jpeg({ progressive: true }).toBuffer(),
    await pattern(24, 16).withMetadata(tag).png({ progressive: true, palette: true }).toBuffer(),
    await pattern(24, 16).withMetadata(tag).webp({ lossless: true }).toBuffer(),
  ];
});
beforeEach(({ onTestFailed }) => onTestFailed(() => console.error(`MUTANT_SEED=${SEED}`)));
afterAll(() => drawing.end());

/** The output must be an image like any other. */
async function isOurs(picture: Uint8Array, type: string): Promise<void> {
  const kind = kindOf(picture);
  if (kind === undefined || typeOf(kind) !== type) expect.fail(`${kind} is no ${type}`);
  expect(strangeParts(picture)).toEqual([]);
  expect(Buffer.from(picture).includes(CANARY)).toBe(false);
  expect(picture.length).toBeLessThanOrEqual(OUTPUT_MAX_BYTES);
  const again = sharp(picture, { failOn: 'warning', animated: true, limitInputPixels: PIXELS_MAX });
  const { width, height, pageHeight = height, pages = 1 } = await again.metadata();
  expect(Math.max(width, pageHeight)).toBeLessThanOrEqual(SIDE_MAX);
  expect(pages).toBeLessThanOrEqual(FRAMES_MAX);
  await again.stats();
}

test(
  `${MUTANTS} damaged files are refused, or become an image`,
  async () => {
    const random = seededRandom(SEED);
    const outcomes = new Map<string, number>();
    for (let number = 0; number < MUTANTS; number += 1) {
      const file = mutant(files, random);
      const kind = kindOf(file);
      const answer = kind === undefined ? { reason: 'wrong magic' } : await drawing.draw(file, kind);
      if (typeof answer === 'object' && 'picture' in answer) {
        if (kind === undefined) expect.fail('drawn without a kind');
        await isOurs(answer.picture.bytes, typeOf(kind)).catch((error: unknown) => {
          throw new Error(`mutant ${number} of seed ${SEED}`, { cause: error });
        });
      }
      const outcome = typeof answer === 'string' ? answer : 'picture' in answer ? 'drawn' : answer.reason;
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    }
    // Both outcomes must occur, or the mutants are too harmless or too broken to prove anything.
    expect(outcomes.get('drawn')).toBeGreaterThan(MUTANTS / 20);
    expect(outcomes.get('not decodable')).toBeGreaterThan(MUTANTS / 20);
    expect(outcomes.get('nonsense')).toBeUndefined();
    const peak = /^VmHWM:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${drawing.pid}/status`, 'latin1'))?.[1];
    expect(Number(peak) * 1_024).toBeLessThan(MEMORY_MAX_BYTES);
  },
  TEST_MS,
);
