import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';

/** Images built byte by byte, for content that no program writes. */

const PNG_SIGNATURE = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1');

export function pngChunk(name: string, data: Uint8Array = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const chunk = Buffer.alloc(body.length + 8);
  chunk.writeUInt32BE(data.length);
  chunk.set(body, 4);
  chunk.writeUInt32BE(crc32(body), body.length + 4);
  return chunk;
}

/** One colour, one bit per pixel: a huge image in a few bytes. `extra` chunks come before the pixels. */
export function flatPng(width: number, height: number, extra: Buffer[] = []): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width);
  head.writeUInt32BE(height, 4);
  head.set([1, 0, 0, 0, 0], 8);
  const pixels = deflateSync(Buffer.alloc((1 + Math.ceil(width / 8)) * height));
  return Buffer.concat([
    PNG_SIGNATURE,
    pngChunk('IHDR', head),
    ...extra,
    pngChunk('IDAT', pixels),
    pngChunk('IEND'),
  ]);
}

/** Inserts chunks after the header of a PNG. */
export function pngWith(png: Buffer, chunks: Buffer[]): Buffer {
  const head = PNG_SIGNATURE.length + 25;
  return Buffer.concat([png.subarray(0, head), ...chunks, png.subarray(head)]);
}

export function jpegSegment(marker: number, data: Uint8Array): Buffer {
  const segment = Buffer.alloc(4);
  segment.set([0xff, marker]);
  segment.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([segment, data]);
}

export function jpegWith(jpeg: Buffer, segments: Buffer[]): Buffer {
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);
}

const GIF_BLOCK_MAX = 255;

export function gifExtension(label: number, data: Uint8Array): Buffer {
  const blocks: Uint8Array[] = [];
  for (let at = 0; at < data.length; at += GIF_BLOCK_MAX) {
    const block = data.subarray(at, at + GIF_BLOCK_MAX);
    blocks.push(Uint8Array.of(block.length), block);
  }
  return Buffer.concat([Uint8Array.of(0x21, label), ...blocks, Uint8Array.of(0)]);
}

/** The offset of the first frame or extension of a GIF. */
export function gifBodyStart(gif: Buffer): number {
  const flags = gif.readUInt8(10);
  return 13 + ((flags & 0x80) === 0 ? 0 : 3 * 2 ** ((flags & 7) + 1));
}

export function gifWith(gif: Buffer, extensions: Buffer[]): Buffer {
  const start = gifBodyStart(gif);
  return Buffer.concat([gif.subarray(0, start), ...extensions, gif.subarray(start)]);
}

/** A GIF with frames of one pixel each, or with the given frames, on a screen of this size. */
export function tinyGif(
  frames: number,
  screen = { width: 1, height: 1 },
  frame = { width: 1, height: 1 },
): Buffer {
  const head = Buffer.from('GIF89a\0\0\0\0\x80\0\0\0\0\0\xff\xff\xff', 'latin1');
  head.writeUInt16LE(screen.width, 6);
  head.writeUInt16LE(screen.height, 8);
  const one = Buffer.from('!\xf9\x04\0\x01\0\0\0,\0\0\0\0\0\0\0\0\0\x02\x02\x44\x01\0', 'latin1');
  one.writeUInt16LE(frame.width, 13);
  one.writeUInt16LE(frame.height, 15);
  return Buffer.concat([head, ...Array.from({ length: frames }, () => one), Buffer.from(';')]);
}

export function webpChunk(name: string, data: Uint8Array): Buffer {
  const chunk = Buffer.alloc(8 + data.length + (data.length % 2));
  chunk.write(name, 'latin1');
  chunk.writeUInt32LE(data.length, 4);
  chunk.set(data, 8);
  return chunk;
}

export function webpOf(chunks: Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from('WEBP'), ...chunks]);
  return webpChunk('RIFF', body);
}

/** A WebP with this many frames of one pixel, on a canvas of this size. */
export async function tinyWebp(frames: number, canvas = { width: 1, height: 1 }): Promise<Buffer> {
  const dot = await sharp({ create: { width: 1, height: 1, channels: 4, background: '#f00' } })
    .webp({ lossless: true })
    .toBuffer();
  const head = Buffer.alloc(10);
  head.writeUInt8(0b10);
  head.writeUIntLE(canvas.width - 1, 4, 3);
  head.writeUIntLE(canvas.height - 1, 7, 3);
  // Position, size and duration of a frame, then the image without its RIFF header.
  const place = Buffer.alloc(16);
  place.writeUIntLE(20, 12, 3);
  const frame = webpChunk('ANMF', Buffer.concat([place, dot.subarray(12)]));
  return webpOf([
    webpChunk('VP8X', head),
    webpChunk('ANIM', Buffer.alloc(6)),
    ...Array.from({ length: frames }, () => frame),
  ]);
}
