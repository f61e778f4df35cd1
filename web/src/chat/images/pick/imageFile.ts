import { IMAGE_MAX_BYTES, type ImageType, imageProblem } from '@settee/protocol/model/media';
import { texts } from '@settee/protocol/texts/texts';

/** A valid image file. Width and height are 0 if unknown. */
export type ImageFile = { file: File; type: ImageType; width: number; height: number };

const MEASURE_WITHIN_MS = 4_000;

/** Bytes needed to detect the type. */
const HEAD_BYTES = 64;

/** Checks a picked file. Returns the file to send, or an error text. Converts HEIC to JPEG if the browser can. */
export async function readImageFile(picked: File): Promise<ImageFile | string> {
  const head = new Uint8Array(
    await picked
      .slice(0, HEAD_BYTES)
      .arrayBuffer()
      .catch(() => new ArrayBuffer(0)),
  );
  const heic = looksLikeHeic(picked, head);
  const file = heic ? await heicToJpeg(picked) : picked;
  if (!file) return texts.imageWrongType;
  // The bytes are more reliable than the browser's type, which comes from the name. The server checks the rest.
  const type = heic ? file.type : (typeOfBytes(head) ?? picked.type);
  const problem = imageProblem({ type, bytes: file.size });
  if (problem) return problem === 'image_size' ? texts.imageTooLarge : texts.imageWrongType;
  return { file, type: type as ImageType, ...(await measure(file)) };
}

async function measure(file: Blob): Promise<{ width: number; height: number }> {
  const unknown = { width: 0, height: 0 };
  const late = new Promise<typeof unknown>((resolve) => setTimeout(resolve, MEASURE_WITHIN_MS, unknown));
  return Promise.race([late, sizeOf(file).catch(() => unknown)]);
}

async function sizeOf(file: Blob): Promise<{ width: number; height: number }> {
  const bitmap = await createImageBitmap(file);
  const { width, height } = bitmap;
  bitmap.close();
  return { width, height };
}

/** The image type of the first bytes of a file. Undefined for other files. */
export function typeOfBytes(head: Uint8Array): ImageType | undefined {
  if (startsWith(head, '\u00FF\u00D8\u00FF')) return 'image/jpeg';
  if (startsWith(head, '\u0089PNG\r\n\u001A\n')) return 'image/png';
  if (startsWith(head, 'GIF87a') || startsWith(head, 'GIF89a')) return 'image/gif';
  if (startsWith(head, 'RIFF') && startsWith(head.subarray(8), 'WEBP')) return 'image/webp';
  return undefined;
}

const HEIC_TYPE = /^image\/hei[cf](-sequence)?$/i;
const HEIC_NAME = /\.hei[cf]$/i;
/** HEVC brands of the `ftyp` box. The last two are generic. */
const HEIC_BRANDS = ['heic', 'heix', 'heim', 'heis', 'hevc', 'hevx', 'mif1', 'msf1'];

/** Detects HEIC by type, bytes, or name if the browser reports no type. */
export function looksLikeHeic(file: { type: string; name: string }, head: Uint8Array): boolean {
  if (HEIC_TYPE.test(file.type)) return true;
  if (file.type !== '') return false;
  const brand = startsWith(head.subarray(4), 'ftyp') ? ascii(head.subarray(8, 12)) : '';
  return HEIC_BRANDS.includes(brand) || HEIC_NAME.test(file.name);
}

function startsWith(bytes: Uint8Array, start: string): boolean {
  return ascii(bytes.subarray(0, start.length)) === start;
}

function ascii(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}

const JPEG_QUALITY = 0.9;

/** Tried in order until the canvas works and the file is small enough. */
const MEGAPIXELS = [40, 16, 8];

/** Larger files are not decoded. */
const MAX_HEIC_BYTES = 4 * IMAGE_MAX_BYTES;

/** Converts a photo to an upright JPEG. Undefined if the browser cannot decode it, as most cannot. */
async function heicToJpeg(photo: File): Promise<File | undefined> {
  if (photo.size > MAX_HEIC_BYTES) return undefined;
  const bitmap = await decode(photo).catch(() => undefined);
  if (!bitmap) return undefined;
  let jpeg: Blob | null = null;
  for (const megapixels of MEGAPIXELS) {
    jpeg = await draw(bitmap, megapixels * 1_000_000).catch(() => null);
    if (jpeg && jpeg.size < IMAGE_MAX_BYTES) break;
  }
  bitmap.close();
  return jpeg ? new File([jpeg], jpegName(photo.name), { type: 'image/jpeg' }) : undefined;
}

async function decode(photo: Blob): Promise<ImageBitmap> {
  return createImageBitmap(photo, { imageOrientation: 'from-image' });
}

/** Resolves to null if the canvas is larger than the browser allows. */
function draw(bitmap: ImageBitmap, maxPixels: number): Promise<Blob | null> {
  const scale = Math.min(1, Math.sqrt(maxPixels / (bitmap.width * bitmap.height)));
  const canvas = document.createElement('canvas');
  canvas.width = Math.max(1, Math.floor(bitmap.width * scale));
  canvas.height = Math.max(1, Math.floor(bitmap.height * scale));
  canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', JPEG_QUALITY));
}

function jpegName(name: string): string {
  return `${name.replace(/\.[^.]*$/, '') || 'image'}.jpg`;
}
