import { type ImageType, imageProblem } from '@settee/protocol/model/media';
import { texts } from '@settee/protocol/texts/texts';
import { heicToJpeg } from './heic.ts';
import { looksLikeHeic, typeOfBytes } from './imageBytes.ts';

/** A file that may be sent, and how large its picture is; 0 where the browser cannot tell. */
export type ImageFile = { file: File; type: ImageType; width: number; height: number };

/** A browser that takes longer than this to decode a picture does not hold up its sending. */
const MEASURE_WITHIN_MS = 4_000;

/** As many bytes as tell what a file is. */
const HEAD_BYTES = 64;

/**
 * What was picked, ready to be sent, or what is wrong with it in the specification's words. A HEIC photo becomes a
 * JPEG where the browser can read it.
 */
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
  // The bytes know better than the name, from which the browser has the type; what they do not tell is the server's
  // to judge.
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
