import { type Gif, type GifFrame, readGif, writeGif } from './gifBlocks.ts';
import { FRAMES_MAX, PIXELS_MAX, SIDE_MAX } from './limits.ts';
import { packLzw, unpackLzw } from './lzw.ts';

/** Which colours of a palette are seen. */
type Seen = Uint8Array;
const COLOURS_MAX = 256;

/**
 * Writes a GIF anew, pixel for pixel, without what is not seen. libvips would look for the best 256 colours of every
 * frame once more, at half a microsecond for each pixel: 20 s for the largest animation that we allow. Undefined for
 * what is too large to be kept as it is, or does not follow the rules to the letter: libvips may know what to do.
 */
export function redrawGif(file: Uint8Array): { width: number; height: number; bytes: Buffer } | undefined {
  const gif = read(file);
  if (gif === undefined || gif.frames.length < 1 || gif.frames.length > FRAMES_MAX) return undefined;
  if (gif.width < 1 || gif.height < 1 || Math.max(gif.width, gif.height) > SIDE_MAX) return undefined;
  if (gif.width * gif.height * gif.frames.length > PIXELS_MAX) return undefined;
  const seen = new Uint8Array(COLOURS_MAX);
  const frames: GifFrame[] = [];
  for (const frame of gif.frames) {
    const drawn = redrawFrame(frame, gif, seen);
    if (drawn === undefined) return undefined;
    frames.push(drawn);
  }
  const palette = gif.palette && onlySeen(gif.palette, seen);
  return { width: gif.width, height: gif.height, bytes: writeGif({ ...gif, palette, frames }) };
}

function read(file: Uint8Array): Gif | undefined {
  try {
    return readGif(Buffer.from(file.buffer, file.byteOffset, file.length));
  } catch {
    return undefined;
  }
}

function redrawFrame(frame: GifFrame, gif: Gif, seenOfAll: Seen): GifFrame | undefined {
  const { left, top, width, height, colourBits, transparent } = frame;
  const palette = frame.palette ?? gif.palette;
  if (palette === undefined || colourBits < 2 || colourBits > 8 || frame.disposal > 3) return undefined;
  if (width < 1 || height < 1 || left + width > gif.width || top + height > gif.height) return undefined;
  const colours = unpackLzw(frame.data, colourBits, width * height);
  if (colours === undefined) return undefined;

  const seen = frame.palette === undefined ? seenOfAll : new Uint8Array(COLOURS_MAX);
  for (const colour of colours) {
    if (colour === transparent) continue;
    if (colour * 3 >= palette.length) return undefined;
    seen[colour] = 1;
  }
  return {
    ...frame,
    palette: frame.palette && onlySeen(frame.palette, seen),
    data: packLzw(colours, colourBits),
  };
}

/** 768 bytes that nobody looks at are a good place for words. */
function onlySeen(palette: Uint8Array, seen: Seen): Uint8Array {
  return palette.map((value, at) => (seen[Math.floor(at / 3)] === 1 ? value : 0));
}
