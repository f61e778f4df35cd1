import { IMAGE_MAX_BYTES } from '@settee/protocol/model/media';

const QUALITY = 0.9;

/** Tried in order until the canvas works and the file is small enough. */
const MEGAPIXELS = [40, 16, 8];

/** Larger files are not decoded. */
const MAX_BYTES = 4 * IMAGE_MAX_BYTES;

/** Converts a photo to an upright JPEG. Undefined if the browser cannot decode it, as most cannot. */
export async function heicToJpeg(photo: File): Promise<File | undefined> {
  if (photo.size > MAX_BYTES) return undefined;
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

/** Applies the photo's orientation. */
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
  return new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', QUALITY));
}

function jpegName(name: string): string {
  return `${name.replace(/\.[^.]*$/, '') || 'image'}.jpg`;
}
