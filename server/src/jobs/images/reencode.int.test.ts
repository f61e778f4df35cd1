import sharp from 'sharp';
import { thumbHashToAverageRGBA } from 'thumbhash';
import { describe, expect, test } from 'vitest';
import { fullSize } from '../../../../tools/fullSize.ts';
import { strangeParts } from '../../../test/images/parts.ts';
import { patient } from '../../../test/images/patient.ts';
import { animation, KINDS, pattern, still } from '../../../test/images/samples.ts';
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
  });

  test.each(KINDS)('a %s that is too wide is scaled down, and keeps at least one pixel', async (kind) => {
    const wide = await drawn(await flat(3_000, 1_500).toFormat(kind).toBuffer(), kind);
    expect([wide.width, wide.height]).toEqual([SIDE_MAX, SIDE_MAX / 2]);
    const line = await drawn(await flat(2, 9_000).toFormat(kind).toBuffer(), kind);
    expect([line.width, line.height]).toEqual([1, SIDE_MAX]);
  });

  test.each(['png', 'gif', 'webp'] as const)(
    'the transparent parts of a %s stay transparent',
    async (kind) => {
      const { bytes, width } = await drawn(await still(kind, 60, 40), kind);
      const { data, info } = await sharp(bytes).raw().toBuffer({ resolveWithObject: true });
      expect(info.channels).toBe(4);
      const alpha = (x: number, y: number) => data[(y * width + x) * 4 + 3];
      expect([alpha(3, 20), alpha(50, 20)]).toEqual([0, 255]);
    },
  );

  test.each(['gif', 'webp'] as const)('an animated %s stays animated', async (kind) => {
    const file = await animation(kind, 6);
    const { bytes, width, height } = await drawn(file, kind);
    expect([width, height]).toEqual([40, 24]);
    const { pages, delay, loop } = await sharp(bytes, { animated: true }).metadata();
    expect({ pages, delay, loop }).toEqual({ pages: 6, delay: [50, 60, 70, 80, 90, 50], loop: 3 });
  });

  test.each(['gif', 'webp'] as const)('an animated %s that is too wide is scaled down', async (kind) => {
    const file = await pattern(2_700, 20, 3)
      .toFormat(kind, { delay: [100, 100, 100] })
      .toBuffer();
    const { bytes, width } = await drawn(file, kind);
    expect(width).toBe(SIDE_MAX);
    expect((await sharp(bytes, { animated: true }).metadata()).pages).toBe(3);
  });

  test('wide-gamut and CMYK colours become sRGB', async () => {
    const middle = async (bytes: Uint8Array) => [...(await sharp(bytes).raw().toBuffer()).subarray(0, 3)];
    const wide = await flat(16, 16, '#ff0000').withIccProfile('p3').png().toBuffer();
    const tagged = await middle(wide);
    const untagged = await sharp(wide, { ignoreIcc: true }).png().toBuffer();
    // Without their profile the same numbers mean another colour.
    expect(await middle(untagged)).not.toEqual([255, 0, 0]);
    expect(await middle((await drawn(wide, 'png')).bytes)).toEqual(tagged);

    const ink = await flat(16, 16, '#1e90ff').flatten().toColourspace('cmyk').jpeg().toBuffer();
    expect((await sharp(ink).metadata()).space).toBe('cmyk');
    const { bytes } = await drawn(ink, 'jpeg');
    expect((await sharp(bytes).metadata()).space).toBe('srgb');
    const [red = 0, , blue = 0] = await middle(bytes);
    expect(blue).toBeGreaterThan(red + 100);
  });

  test('the thumbhash shows the first frame', async () => {
    const red = await flat(50, 40, '#ff0000').png().toBuffer();
    const green = await flat(50, 40, '#00ff00').png().toBuffer();
    const file = await sharp([red, green], { join: { animated: true } })
      .gif()
      .toBuffer();
    const { thumbhash } = await drawn(file, 'gif');
    const { r, g, b } = thumbHashToAverageRGBA(Buffer.from(thumbhash, 'base64'));
    expect(r).toBeGreaterThan(0.8);
    expect(Math.max(g, b)).toBeLessThan(0.2);
  });
});

describe('[MEDIA-14] the largest allowed images', () => {
  /** A rotated camera image must be held in memory completely. Temporary files are not allowed. */
  test.each(fullSize(['jpeg'] as const, ['jpeg', 'png'] as const))(
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

  test.each(['gif', 'webp'] as const)('a %s of 200 frames', async (kind) => {
    const { bytes } = await drawn(await animation(kind, 200, 16, 12), kind);
    expect((await sharp(bytes, { animated: true }).metadata()).pages).toBe(200);
  });
});
