import { kindOf } from '../../src/images/kinds.ts';

/** The parts that pixels need. Our images must contain nothing else. */
const PIXELS = {
  jpeg: ['SOI', 'JFIF', 'DQT', 'SOF0', 'SOF2', 'DHT', 'SOS', 'EOI'],
  png: ['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND'],
  gif: ['head', 'palette', 'NETSCAPE2.0', 'control', 'frame', 'end'],
  webp: ['VP8X', 'VP8 ', 'VP8L', 'ALPH', 'ANIM', 'ANMF'],
};

/** The parts that are not pixels. Our images have none. */
export function strangeParts(file: Uint8Array): string[] {
  const kind = kindOf(file);
  if (kind === undefined) return ['no image'];
  return partsOf(file).filter((part) => !PIXELS[kind].includes(part));
}

/** The names of a file's parts in order; `after the end` for trailing data. */
export function partsOf(file: Uint8Array): string[] {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.length);
  switch (kindOf(file)) {
    case 'jpeg':
      return jpegParts(bytes);
    case 'png':
      return pngParts(bytes);
    case 'gif':
      return gifParts(bytes);
    case 'webp':
      return webpParts(bytes);
    case undefined:
      return [];
  }
}

const JPEG_NAMES: Record<number, string> = { 196: 'DHT', 218: 'SOS', 219: 'DQT', 254: 'COM' };

function jpegParts(bytes: Buffer): string[] {
  const parts = ['SOI'];
  let at = 2;
  while (at + 2 <= bytes.length) {
    const marker = bytes.readUInt8(at + 1);
    if (bytes.readUInt8(at) !== 0xff) return [...parts, 'no marker'];
    if (marker === 0xd9) return ended([...parts, 'EOI'], at + 2, bytes);
    const length = bytes.readUInt16BE(at + 2);
    const jfif = marker === 0xe0 && bytes.toString('latin1', at + 4, at + 9) === 'JFIF\0' && length === 16;
    const frame = marker >= 0xc0 && marker <= 0xc2 ? `SOF${marker - 0xc0}` : undefined;
    parts.push(jfif ? 'JFIF' : (frame ?? JPEG_NAMES[marker] ?? `marker ${marker.toString(16)}`));
    at += 2 + length;
    // Pixel data follows, in which ff is always followed by 00 or a restart marker.
    if (marker === 0xda) at = afterScan(bytes, at);
  }
  return [...parts, 'no end'];
}

function afterScan(bytes: Buffer, start: number): number {
  for (let at = bytes.indexOf(0xff, start); at !== -1; at = bytes.indexOf(0xff, at + 1)) {
    const next = bytes[at + 1] ?? 0;
    if (next !== 0 && (next < 0xd0 || next > 0xd7)) return at;
  }
  return bytes.length;
}

function pngParts(bytes: Buffer): string[] {
  const parts: string[] = [];
  let at = 8;
  while (at + 12 <= bytes.length) {
    const name = bytes.toString('latin1', at + 4, at + 8);
    at += 12 + bytes.readUInt32BE(at);
    parts.push(name);
    if (name === 'IEND') return ended(parts, at, bytes);
  }
  return [...parts, 'no end'];
}

function gifParts(bytes: Buffer): string[] {
  const parts = ['head'];
  const palette = (flags: number): number => {
    if ((flags & 0x80) === 0) return 0;
    parts.push('palette');
    return 3 * 2 ** ((flags & 7) + 1);
  };
  const afterBlocks = (start: number): number => {
    let at = start;
    while (at < bytes.length && bytes[at] !== 0) at += 1 + bytes.readUInt8(at);
    return at + 1;
  };
  let at = 13 + palette(bytes.readUInt8(10));
  while (at + 1 < bytes.length) {
    if (bytes[at] === 0x2c) {
      parts.push('frame');
      at = afterBlocks(at + 11 + palette(bytes.readUInt8(at + 9)));
    } else if (bytes[at] === 0x21) {
      const label = bytes.readUInt8(at + 1);
      const name = bytes.toString('latin1', at + 3, at + 14);
      parts.push(label === 0xf9 ? 'control' : label === 0xff ? name : `extension ${label.toString(16)}`);
      at = afterBlocks(at + 2);
    } else break;
  }
  return bytes[at] === 0x3b ? ended([...parts, 'end'], at + 1, bytes) : [...parts, 'no end'];
}

function webpParts(bytes: Buffer): string[] {
  const end = 8 + bytes.readUInt32LE(4);
  const parts: string[] = [];
  const walk = (from: number, to: number): void => {
    for (let at = from; at + 8 <= to; ) {
      const name = bytes.toString('latin1', at, at + 4);
      const length = bytes.readUInt32LE(at + 4);
      parts.push(name);
      if (name === 'ANMF') walk(at + 8 + 16, at + 8 + length);
      at += 8 + length + (length % 2);
    }
  };
  walk(12, Math.min(end, bytes.length));
  return ended(parts, end, bytes);
}

function ended(parts: string[], end: number, bytes: Buffer): string[] {
  return end === bytes.length ? parts : [...parts, 'after the end'];
}
