import { type ImageType, imageProblem } from '@settee/protocol/model/media';
import { texts } from '@settee/protocol/texts/texts';
import { heicToJpeg } from './heic.ts';
import { looksLikeHeic, typeOfBytes } from './imageBytes.ts';

/** A valid image file. Width and height are 0 if unknown. */
export type ImageFile = { file: File; type: ImageType; width: number; height: number };

/** Do not wait longer than this for the size. */
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
