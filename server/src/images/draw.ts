import sharp, { type Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import type { Answer, Picture } from './answer.ts';
import type { Kind, Shape } from './kinds.ts';
import { FRAMES_MAX, OUTPUT_MAX_BYTES, PIXELS_MAX, SIDE_MAX, SOURCE_SIDE_MAX, SQUARE_MAX } from './limits.ts';

/** Loaders by libvips name. All others (SVG, PDF, HEIF, TIFF and so on) are blocked. */
const LOADERS: Record<Kind, string> = {
  jpeg: 'VipsForeignLoadJpegBuffer',
  png: 'VipsForeignLoadPngBuffer',
  gif: 'VipsForeignLoadNsgifBuffer',
  webp: 'VipsForeignLoadWebpBuffer',
};
const QUALITY = 82;
const THUMB_SIDE = 100;
const EXACT_GIF_PIXELS_MAX = 15_000_000;

sharp.cache(false);
sharp.concurrency(1);

/** Blocks all other loaders in this process. */
export function allowOnlyLoader(kind: Kind): void {
  sharp.block({ operation: ['VipsForeignLoad'] });
  sharp.unblock({ operation: [LOADERS[kind]] });
}

/**
 * Decodes an untrusted file. Call it only in a child process, after `allowOnlyLoader`. The result contains only
 * pixels, upright and in sRGB: sharp writes no metadata unless asked to.
 */
export async function draw(file: Uint8Array, kind: Kind, shape: Shape = 'picture'): Promise<Answer> {
  try {
    // Reads only the header; nothing is decoded yet.
    const head = await sharp(file, { limitInputPixels: false, failOn: 'error' }).metadata();
    const frames = head.pages ?? 1;
    if (head.format !== kind) return { reason: 'not decodable' };
    if (frames > FRAMES_MAX) return { reason: 'too many frames' };
    const height = head.pageHeight ?? head.height;
    if (head.width * height * frames > PIXELS_MAX || Math.max(head.width, height) > SOURCE_SIDE_MAX)
      return { reason: 'too many pixels' };
    if (shape === 'square') return { picture: await drawSquare(file, Math.min(head.width, height)) };

    const resized = await resize(file, kind, { animated: frames > 1, pixels: head.width * height * frames });
    if (resized.bytes.length > OUTPUT_MAX_BYTES) return { reason: 'output too large' };
    return { picture: { ...resized, thumbhash: await thumbhash(resized.bytes) } };
  } catch {
    return { reason: 'not decodable' };
  }
}

type Size = { animated: boolean; pixels: number };

async function resize(file: Uint8Array, kind: Kind, size: Size): Promise<Omit<Picture, 'thumbhash'>> {
  const { animated } = size;
  const whole = sharp(file, { animated, limitInputPixels: PIXELS_MAX, failOn: 'error' });
  // Animations are not rotated; cameras do not produce them.
  const upright = animated ? whole : whole.autoOrient();
  const small = upright
    .resize({ width: SIDE_MAX, height: SIDE_MAX, fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb');
  const { data, info } = await encoded(small, kind, size).toBuffer({ resolveWithObject: true });
  const bytes = kind === 'png' ? pngPixels(data) : data;
  return { width: info.width, height: info.pageHeight ?? info.height, bytes };
}

/**
 * The centre of the image, not animated. The WebP loader may be blocked (see allowOnlyLoader), so both results are
 * made from pixels.
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

function encoded(picture: Sharp, kind: Kind, { animated, pixels }: Size): Sharp {
  switch (kind) {
    case 'jpeg':
      return picture.jpeg({ quality: QUALITY, mozjpeg: true });
    case 'png':
      return picture.png();
    case 'gif':
      // A GIF has at most 256 colours per frame, so it needs no dithering, and effort 4 with its own palette per
      // frame keeps them exactly. The largest animations get less effort to stay well within CPU_MS (decision 12).
      return picture.gif({
        effort: pixels > EXACT_GIF_PIXELS_MAX ? 1 : 4,
        reuse: false,
        dither: 0,
        interPaletteMaxError: 0,
      });
    case 'webp':
      // More effort would exceed CPU_MS for the largest animation.
      return picture.webp({ quality: QUALITY, effort: animated ? 1 : 4 });
  }
}

/** Of the finished image, which proves that it can be decoded. */
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
/** Length, name and checksum. */
const AROUND_BYTES = 12;
const KEPT = new Set(['IHDR', 'PLTE', 'tRNS', 'IDAT', 'IEND']);

/** Removes all chunks but pixels: sharp keeps the density of the uploaded file. */
function pngPixels(png: Buffer): Buffer {
  const kept = [png.subarray(0, SIGNATURE_BYTES)];
  for (let at = SIGNATURE_BYTES; at + AROUND_BYTES <= png.length; ) {
    const end = at + AROUND_BYTES + png.readUInt32BE(at);
    if (KEPT.has(png.toString('latin1', at + 4, at + 8))) kept.push(png.subarray(at, end));
    at = end;
  }
  return Buffer.concat(kept);
}
