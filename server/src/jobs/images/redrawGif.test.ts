import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { gifBodyStart, tinyGif } from '../../../test/images/made.ts';
import { partsOf, strangeParts } from '../../../test/images/parts.ts';
import { pattern } from '../../../test/images/samples.ts';
import { seededRandom } from '../../../test/seededRandom.ts';
import { packLzw, unpackLzw } from './lzw.ts';
import { redrawGif } from './redrawGif.ts';

const PATIENT_MS = 60_000;

describe('LZW', () => {
  const random = seededRandom(1_987);
  // Around where blocks, code lengths and the table of codes change.
  const sizes = [1, 2, 3, 254, 255, 256, 257, 510, 3_837, 3_838, 3_839, 4_096, 70_000];

  test.each([2, 3, 4, 5, 6, 7, 8])('what is packed can be unpacked: %i bits a colour', (bits) => {
    for (const size of sizes) {
      const noise = random.bytes(size).map((byte) => byte % 2 ** bits);
      const steps = Uint8Array.from({ length: size }, (_, i) => Math.floor(i / (1 + (size % 7))) % 2 ** bits);
      for (const colours of [noise, steps]) {
        const unpacked = unpackLzw(packLzw(colours, bits), bits, size) ?? [];
        expect(Buffer.from(unpacked).equals(colours)).toBe(true);
      }
    }
  });

  test('a run of one colour is packed well', () => {
    const packed = packLzw(new Uint8Array(1_000_000), 8);
    expect(packed.length).toBeLessThan(2_500);
    expect(unpackLzw(packed, 8, 1_000_000)?.every((colour) => colour === 0)).toBe(true);
  });

  test('rubbish, too little and too much are refused, and never more is written than asked for', () => {
    const colours = Uint8Array.from({ length: 1_000 }, (_, i) => (i * 7) % 16);
    const packed = packLzw(colours, 4);
    expect(unpackLzw(packed, 4, 999)).toBeUndefined();
    expect(unpackLzw(packed, 4, 1_001)).toBeUndefined();
    expect(unpackLzw(packed.subarray(0, packed.length / 2), 4, 1_000)).toBeUndefined();
    for (let times = 0; times < 1_000; times += 1) {
      const unpacked = unpackLzw(random.bytes(1 + random.below(300)), 2 + random.below(7), 500);
      expect(unpacked === undefined || unpacked.length === 500).toBe(true);
    }
  });
});

describe('a GIF is written anew', () => {
  test.each<[string, number, number, number, object]>([
    ['one pixel', 1, 1, 1, {}],
    ['a still', 301, 203, 1, {}],
    ['an animation', 120, 80, 9, { loop: 0 }],
    ['one with two colours', 100, 50, 3, { colours: 2, loop: 5 }],
    ['one with interlaced frames', 90, 70, 3, { progressive: true }],
    ['one with a delay for each frame', 40, 30, 4, { delay: [20, 500, 90, 1_000] }],
  ])(
    'pixel for pixel: %s',
    async (_what, width, height, frames, options) => {
      const file = await pattern(width, height, frames).gif(options).toBuffer();
      const drawn = redrawGif(file);
      if (drawn === undefined) expect.fail('left to libvips');
      const seen = async (gif: Buffer) => {
        const whole = sharp(gif, { animated: true, failOn: 'warning' });
        const { pages, delay, loop } = await whole.metadata();
        return { pages, delay, loop, pixels: await whole.ensureAlpha().raw().toBuffer() };
      };
      expect(await seen(drawn.bytes)).toEqual(await seen(file));
      expect(strangeParts(drawn.bytes)).toEqual([]);
      expect([drawn.width, drawn.height]).toEqual([width, height]);
    },
    PATIENT_MS,
  );

  test('[MEDIA-13] invisible colours become black, so they can hide nothing', async () => {
    const file = await pattern(8, 8).gif({ colours: 8 }).toBuffer();
    const words = Buffer.from('C4N4RY-of-Ada');
    // A palette of 256 colours of which the first eight are used.
    const small = file.subarray(13, gifBodyStart(file));
    const palette = Buffer.alloc(768);
    palette.set(small);
    palette.set(words, 700);
    const head = Buffer.from(file.subarray(0, 13));
    head.writeUInt8(head.readUInt8(10) | 7, 10);
    const chatty = Buffer.concat([head, palette, file.subarray(gifBodyStart(file))]);
    const drawn = redrawGif(chatty);
    expect(drawn && partsOf(drawn.bytes)).toEqual(partsOf(file));
    expect(drawn?.bytes.includes(words)).toBe(false);
    const pixels = (gif: Buffer) => sharp(gif).ensureAlpha().raw().toBuffer();
    expect(await pixels(drawn?.bytes ?? file)).toEqual(await pixels(file));
  });

  test.each<[string, Buffer]>([
    ['too many frames', tinyGif(201)],
    ['a screen that must be made smaller', tinyGif(1, { width: 2_561, height: 9 })],
    ['more pixels than allowed', tinyGif(10, { width: 2_500, height: 2_500 })],
    ['a frame beyond the screen', tinyGif(1, { width: 1, height: 1 }, { width: 2, height: 1 })],
    ['a frame without its pixels', tinyGif(1, { width: 9, height: 9 }, { width: 9, height: 9 })],
    ['no frames', tinyGif(0)],
    ['no end', tinyGif(1).subarray(0, -1)],
    ['the head alone', tinyGif(1).subarray(0, 13)],
  ])('what it does not understand is left to libvips: %s', (_what, file) => {
    expect(redrawGif(file)).toBeUndefined();
  });
});
