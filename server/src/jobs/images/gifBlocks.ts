/** What of a GIF is worth keeping. Comments, texts and programs' own blocks are passed over. */
export type Gif = {
  width: number;
  height: number;
  /** Three bytes a colour. */
  palette: Uint8Array | undefined;
  background: number;
  /** How often it is repeated, 0 for ever; undefined for once. */
  loops: number | undefined;
  frames: GifFrame[];
};

export type GifFrame = {
  left: number;
  top: number;
  width: number;
  height: number;
  interlaced: boolean;
  palette: Uint8Array | undefined;
  disposal: number;
  /** Hundredths of a second. */
  delay: number;
  transparent: number | undefined;
  colourBits: number;
  data: Uint8Array;
};

const HEAD_BYTES = 13;
const EXTENSION = 0x21;
const CONTROL = 0xf9;
const APPLICATION = 0xff;
const FRAME = 0x2c;
const END = 0x3b;
const LOOPING = ['NETSCAPE2.0', 'ANIMEXTS1.0'];

type Control = Pick<GifFrame, 'disposal' | 'delay' | 'transparent'>;
const NO_CONTROL: Control = { disposal: 0, delay: 0, transparent: undefined };

/** Throws a RangeError where the file ends too early; undefined for what does not follow the rules. */
export function readGif(file: Buffer): Gif | undefined {
  const flags = file.readUInt8(10);
  const palette = paletteAt(file, HEAD_BYTES, flags);
  const gif: Gif = {
    width: file.readUInt16LE(6),
    height: file.readUInt16LE(8),
    palette,
    background: file.readUInt8(11),
    loops: undefined,
    frames: [],
  };
  let control = NO_CONTROL;
  let at = HEAD_BYTES + (palette?.length ?? 0);
  for (;;) {
    const block = file.readUInt8(at);
    if (block === END) return gif;
    if (block === EXTENSION) {
      const label = file.readUInt8(at + 1);
      const { blocks, end } = blocksAt(file, at + 2);
      if (label === CONTROL) control = readControl(blocks[0]);
      if (label === APPLICATION) gif.loops = readLoops(blocks) ?? gif.loops;
      at = end;
    } else if (block === FRAME) {
      const about = file.readUInt8(at + 9);
      const own = paletteAt(file, at + 10, about);
      const start = at + 10 + (own?.length ?? 0);
      const { blocks, end } = blocksAt(file, start + 1);
      gif.frames.push({
        left: file.readUInt16LE(at + 1),
        top: file.readUInt16LE(at + 3),
        width: file.readUInt16LE(at + 5),
        height: file.readUInt16LE(at + 7),
        interlaced: (about & 0x40) !== 0,
        palette: own,
        ...control,
        colourBits: file.readUInt8(start),
        data: Buffer.concat(blocks),
      });
      control = NO_CONTROL;
      at = end;
    } else return undefined;
  }
}

function paletteAt(file: Buffer, at: number, flags: number): Uint8Array | undefined {
  if ((flags & 0x80) === 0) return undefined;
  const end = at + 3 * 2 ** ((flags & 7) + 1);
  if (end > file.length) throw new RangeError('the palette is cut off');
  return file.subarray(at, end);
}

function blocksAt(file: Buffer, start: number): { blocks: Buffer[]; end: number } {
  const blocks: Buffer[] = [];
  let at = start;
  for (let length = file.readUInt8(at); length > 0; length = file.readUInt8(at)) {
    blocks.push(file.subarray(at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { blocks, end: at + 1 };
}

function readControl(block: Buffer | undefined): Control {
  if (block?.length !== 4) return NO_CONTROL;
  const flags = block.readUInt8(0);
  return {
    disposal: (flags >> 2) & 7,
    delay: block.readUInt16LE(1),
    transparent: (flags & 1) === 1 ? block.readUInt8(3) : undefined,
  };
}

function readLoops([name, loop]: Buffer[]): number | undefined {
  if (name === undefined || !LOOPING.includes(name.toString('latin1'))) return undefined;
  return loop?.length === 3 && loop[0] === 1 ? loop.readUInt16LE(1) : undefined;
}

const BLOCK_MAX = 255;

/** The other way round, and nothing but what is in a `Gif`. */
export function writeGif(gif: Gif): Buffer {
  const head = Buffer.from('GIF89a.......', 'latin1');
  head.writeUInt16LE(gif.width, 6);
  head.writeUInt16LE(gif.height, 8);
  head.set([paletteFlags(gif.palette), gif.palette === undefined ? 0 : gif.background, 0], 10);
  const parts: Uint8Array[] = [head, gif.palette ?? Buffer.alloc(0)];
  if (gif.loops !== undefined) {
    const loop = Buffer.from('!\xff\x0bNETSCAPE2.0\x03\x01..\0', 'latin1');
    loop.writeUInt16LE(gif.loops, loop.length - 3);
    parts.push(loop);
  }
  for (const frame of gif.frames) {
    const control = Buffer.of(EXTENSION, CONTROL, 4, 0, 0, 0, 0, 0);
    control.writeUInt8((frame.disposal << 2) | (frame.transparent === undefined ? 0 : 1), 3);
    control.writeUInt16LE(frame.delay, 4);
    control.writeUInt8(frame.transparent ?? 0, 6);
    const place = Buffer.alloc(10);
    place.writeUInt8(FRAME);
    place.writeUInt16LE(frame.left, 1);
    place.writeUInt16LE(frame.top, 3);
    place.writeUInt16LE(frame.width, 5);
    place.writeUInt16LE(frame.height, 7);
    place.writeUInt8(paletteFlags(frame.palette) | (frame.interlaced ? 0x40 : 0), 9);
    parts.push(control, place, frame.palette ?? Buffer.alloc(0), Uint8Array.of(frame.colourBits));
    for (let at = 0; at < frame.data.length; at += BLOCK_MAX) {
      const block = frame.data.subarray(at, at + BLOCK_MAX);
      parts.push(Uint8Array.of(block.length), block);
    }
    parts.push(Uint8Array.of(0));
  }
  return Buffer.concat([...parts, Uint8Array.of(END)]);
}

function paletteFlags(palette: Uint8Array | undefined): number {
  return palette === undefined ? 0 : 0x80 | (Math.log2(palette.length / 3) - 1);
}
