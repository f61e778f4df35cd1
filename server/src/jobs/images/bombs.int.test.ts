import { deflateSync } from 'node:zlib';
import { IMAGE_MAX_BYTES } from '@settee/protocol/model/media';
import sharp from 'sharp';
import { expect, test } from 'vitest';
import { fullSize } from '../../../../tools/fullSize.ts';
import {
  flatPng,
  jpegSegment,
  jpegWith,
  pngChunk,
  pngWith,
  tinyGif,
  tinyWebp,
} from '../../../test/images/made.ts';
import { ownChildren } from '../../../test/images/ownChildren.ts';
import { strangeParts } from '../../../test/images/parts.ts';
import { patient } from '../../../test/images/patient.ts';
import { still } from '../../../test/images/samples.ts';
import { reencode } from './reencode.ts';

const MEGABYTE = 1_048_576;

const HUGE = { width: 65_535, height: 65_535 };

test.each<[string, () => Promise<Buffer> | Buffer, string, string]>([
  ['PNG of 196 megapixels', () => flatPng(14_000, 14_000), 'png', 'too many pixels'],
  ['PNG of 64 megapixels', () => flatPng(8_000, 8_000), 'png', 'too many pixels'],
  ['PNG of one endless row', () => flatPng(524_312, 16), 'png', 'too many pixels'],
  ['PNG that claims 2³¹ pixels a side', () => claimed(0x7fff_ffff), 'png', 'not decodable'],
  ['GIF of 10,000 frames', () => tinyGif(10_000), 'gif', 'too many frames'],
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

/** These take a quarter of a minute. The profile below is squeezed too. */
const squeezedTexts: Bomb[] = [
  [
    'PNG with gigabytes of squeezed text',
    async () => {
      const chunk = pngChunk('zTXt', Buffer.concat([Buffer.from('Comment\0\0'), zeros(100)]));
      return pngWith(await still('png'), many(chunk, BUDGET));
    },
    'png',
  ],
  [
    'PNG with gigabytes of squeezed international text',
    async () => {
      const chunk = pngChunk('iTXt', Buffer.concat([Buffer.from('Comment\0\x01\0\0\0'), zeros(100)]));
      return pngWith(await still('png'), many(chunk, BUDGET));
    },
    'png',
  ],
];

/** These may be accepted or refused, but must stay within time and memory and must not pass anything through. */
test.each<Bomb>([
  ...fullSize([], squeezedTexts),
  [
    'PNG with a squeezed profile of 200 MB',
    async () => {
      return pngWith(await still('png'), [
        pngChunk('iCCP', Buffer.concat([Buffer.from('x\0\0'), zeros(200)])),
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
  [
    'JPEG with a profile of 9 MB',
    async () => {
      const part = (index: number) =>
        jpegSegment(
          0xe2,
          Buffer.concat([Buffer.from('ICC_PROFILE\0'), Uint8Array.of(index, 150), Buffer.alloc(60_000, 7)]),
        );
      return jpegWith(
        await still('jpeg'),
        Array.from({ length: 150 }, (_, index) => part(index + 1)),
      );
    },
    'jpeg',
  ],
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
    'APNG of 10,000 frames',
    async () => {
      const control = Buffer.alloc(8);
      control.writeUInt32BE(10_000);
      const frame = Buffer.concat([pngChunk('fcTL', Buffer.alloc(26)), pngChunk('fdAT', Buffer.alloc(20))]);
      const whole = pngWith(await still('png'), [pngChunk('acTL', control)]);
      return Buffer.concat([
        whole.subarray(0, -12),
        ...Array.from({ length: 10_000 }, () => frame),
        whole.subarray(-12),
      ]);
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
