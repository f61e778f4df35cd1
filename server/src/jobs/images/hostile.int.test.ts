import { IMAGE_MAX_BYTES } from '@settee/protocol/model/media';
import sharp from 'sharp';
import { afterAll, describe, expect, test } from 'vitest';
import {
  flatPng,
  gifExtension,
  gifWith,
  jpegSegment,
  jpegWith,
  pngChunk,
} from '../../../test/images/made.ts';
import { strangeParts } from '../../../test/images/parts.ts';
import { patient } from '../../../test/images/patient.ts';
import { KINDS, still } from '../../../test/images/samples.ts';
import { allowOnlyLoader, draw } from './draw.ts';
import { reencode } from './reencode.ts';

// The next file runs in the same process.
afterAll(() => {
  sharp.unblock({ operation: ['VipsForeignLoad'] });
});

const SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';

const notImages: [what: string, bytes: Buffer][] = [
  ['nothing', Buffer.alloc(0)],
  ['eleven bytes', Buffer.from('\x89PNG\r\n\x1a\n...', 'latin1')],
  ['SVG with a script', Buffer.from(SVG)],
  ['SVG behind an XML line', Buffer.from(`<?xml version="1.0"?>${SVG}`)],
  ['HTML', Buffer.from('<!doctype html><script>alert(1)</script>')],
  ['PDF', Buffer.from('%PDF-1.7\n1 0 obj<</Type/Catalog>>endobj')],
  ['ZIP', Buffer.from('PK\x03\x04..............', 'latin1')],
  ['BMP', Buffer.from('BM..................', 'latin1')],
  ['ICO', Buffer.from('\0\0\x01\0\x01\0..............', 'latin1')],
  ['HEIC', Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1')],
  ['JPEG XL', Buffer.from('\0\0\0\x0cJXL \r\n\x87\n........', 'latin1')],
  ['RIFF that is sound', Buffer.from('RIFF\x24\0\0\0WAVEfmt ', 'latin1')],
];

describe('[MEDIA-13] a file is refused for its first bytes, before any process starts', () => {
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

describe('[MEDIA-13] forged first bytes', () => {
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

describe('[MEDIA-13] a file that is two things at once: the image is drawn, the other is gone', () => {
  const js = '*/=1;alert("CANARY");/*';
  const zip = Buffer.from('PK\x03\x04CANARY.js', 'latin1');
  const html = Buffer.from('<script>"CANARY"</script>');
  const php = Buffer.from('<?php system("CANARY"); ?>');

  test.each<[string, () => Promise<Buffer>, string]>([
    [
      'GIF and JavaScript',
      async () => gifWith(await still('gif'), [gifExtension(0xfe, Buffer.from(js))]),
      'gif',
    ],
    ['GIF and what follows it', async () => Buffer.concat([await still('gif'), html]), 'gif'],
    ['JPEG and ZIP', async () => Buffer.concat([await still('jpeg'), zip]), 'jpeg'],
    ['JPEG and PHP', async () => jpegWith(await still('jpeg'), [jpegSegment(0xfe, php)]), 'jpeg'],
    ['PNG and HTML', async () => Buffer.concat([await still('png'), html]), 'png'],
    ['PNG and HTML in a chunk', async () => flatPng(9, 9, [pngChunk('htMl', html)]), 'png'],
    ['WebP and HTML', async () => Buffer.concat([await still('webp'), html]), 'webp'],
  ])('%s', async (_what, make, kind) => {
    const drawn = await reencode(await make(), `image/${kind}`, patient);
    if (!drawn.ok) expect.fail(drawn.reason);
    expect(strangeParts(drawn.bytes)).toEqual([]);
    expect(Buffer.from(drawn.bytes).includes('CANARY')).toBe(false);
  });
});

describe('[MEDIA-13] files that are cut short', () => {
  test.each(KINDS)('%s, at forty positions', async (kind) => {
    const file = await still(kind);
    allowOnlyLoader(kind);
    // The last byte of a GIF and the last chunk of a PNG only mark the end.
    const nothingLost = file.length - { jpeg: 1, png: 12, gif: 1, webp: 1 }[kind];
    for (let cut = 0; cut < 40; cut += 1) {
      const length = 12 + Math.floor(((nothingLost - 13) * cut) / 39);
      expect(await draw(file.subarray(0, length), kind), `${length} of ${file.length}`).toEqual({
        reason: 'not decodable',
      });
    }
  });
});
