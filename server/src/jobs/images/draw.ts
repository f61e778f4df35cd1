import sharp, { type Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import type { Answer, Picture } from './answer.ts';
import type { Kind, Shape } from './kinds.ts';
import { FRAMES_MAX, OUTPUT_MAX_BYTES, PIXELS_MAX, SIDE_MAX, SOURCE_SIDE_MAX, SQUARE_MAX } from './limits.ts';
import { redrawGif } from './redrawGif.ts';

/** libvips' own names. Everything else that it can load (SVG, PDF, HEIF, TIFF, ...) is not there. */
const LOADERS: Record<Kind, string> = {
  jpeg: 'VipsForeignLoadJpegBuffer',
  png: 'VipsForeignLoadPngBuffer',
  gif: 'VipsForeignLoadNsgifBuffer',
  webp: 'VipsForeignLoadWebpBuffer',
};
const QUALITY = 82;
const THUMB_SIDE = 100;

sharp.cache(false);
sharp.concurrency(1);

/** Leaves one loader to this process. */
export function allowOnlyLoader(kind: Kind): void {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: [LOADERS[kind]] });
}

/**
 * Decodes what a stranger sent. Only for a process that may die of it, after `allowOnlyLoader`. Nothing of the file but its
 * pixels, upright and in sRGB, gets into the picture: sharp writes no metadata that it is not asked for.
 */
export async function draw(file: Uint8Array, kind: Kind, shape: Shape = 'picture'): Promise<Answer> {
  try {
    // The file's head: nothing is decoded yet.
    const head = await sharp(file, { limitInputPixels: false, failOn: 'error' }).metadata();
    const frames = head.pages ?? 1;
    if (head.format !== kind) return { reason: 'not decodable' };
    if (frames > FRAMES_MAX) return { reason: 'too many frames' };
    const height = head.pageHeight ?? head.height;
    if (head.width * height * frames > PIXELS_MAX || Math.max(head.width, height) > SOURCE_SIDE_MAX)
      return { reason: 'too many pixels' };
    if (shape === 'square') return { picture: await drawSquare(file, Math.min(head.width, height)) };

    const drawn = (kind === 'gif' ? redrawGif(file) : undefined) ?? (await redraw(file, kind, frames > 1));
    if (drawn.bytes.length > OUTPUT_MAX_BYTES) return { reason: 'output too large' };
    return { picture: { ...drawn, thumbhash: await thumbhash(drawn.bytes) } };
  } catch {
    return { reason: 'not decodable' };
  }
}

async function redraw(file: Uint8Array, kind: Kind, animated: boolean): Promise<Omit<Picture, 'thumbhash'>> {
  const whole = sharp(file, { animated, limitInputPixels: PIXELS_MAX, failOn: 'error' });
  // An animation cannot be turned; no camera makes one that would need it.
  const upright = animated ? whole : whole.autoOrient();
  const small = upright
    .resize({ width: SIDE_MAX, height: SIDE_MAX, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb');
  const { data, info } = await encoded(small, kind, animated).toBuffer({ resolveWithObject: true });
  const bytes = kind === 'png' ? pngPixels(data) : data;
  return { width: info.width, height: info.pageHeight ?? info.height, bytes };
}

/**
 * The middle of the picture, still. Its own loader is not there for what was drawn (see allowOnlyLoader), so both the file
 * and its thumbhash are made of the pixels.
 */
async function drawSquare(file: Uint8Array, shorter: number): Promise<Picture> {
  const side = Math.min(shorter, SQUARE_MAX);
  const { data, info } = await sharp(file, { limitInputPixels: PIXELS_MAX, failOn: 'error' })
    .autoOrient()
    .resize({ width: side, height: side, fit: 'cover' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const pixels = () => sharp(data, { raw: { width, height, channels } });
  return {
    width,
    height,
    bytes: await pixels().webp({ quality: QUALITY }).toBuffer(),
    thumbhash: await thumbhashOf(pixels()),
  };
}

function encoded(picture: Sharp, kind: Kind, animated: boolean): Sharp {
  switch (kind) {
    case 'jpeg':
      return picture.jpeg({ quality: QUALITY, mozjpeg: true });
    case 'png':
      return picture.png();
    case 'gif':
      return picture.gif({ effort: 1 });
    case 'webp':
      // More effort would take the largest animation beyond its time.
      return picture.webp({ quality: QUALITY, effort: animated ? 1 : 4 });
  }
}

/** Of the finished picture's first frame: so it is known to open, too. */
function thumbhash(picture: Uint8Array): Promise<string> {
  return thumbhashOf(sharp(picture, { failOn: 'error' }));
}

async function thumbhashOf(picture: Sharp): Promise<string> {
  const { data, info } = await picture
    .resize({ width: THUMB_SIDE, height: THUMB_SIDE, fit: 'inside', withoutEnlargement: true })
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64');
}

const SIGNATURE_BYTES = 8;
/** Length, name and check sum. */
const AROUND_BYTES = 12;
const KEPT = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);

/** A PNG that sharp wrote, without what is no pixel: it passes on how many dots to the inch the sender's file claimed. */
function pngPixels(png: Buffer): Buffer {
  const kept = [png.subarray(0, SIGNATURE_BYTES)];
  for (let at = SIGNATURE_BYTES; at + AROUND_BYTES <= png.length; ) {
    const end = at + AROUND_BYTES + png.readUInt32BE(at);
    if (KEPT.has(png.toString('latin1', at + 4, at + 8))) kept.push(png.subarray(at, end));
    at = end;
  }
  return Buffer.concat(kept);
}
