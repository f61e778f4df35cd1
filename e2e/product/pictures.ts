import sharp, { type Sharp } from 'sharp';
import { IMAGE_MAX_BYTES } from '../../protocol/src/model/media.ts';

/** A file on the user's machine, in the form that Playwright puts into a file field. */
export type PickedFile = { name: string; mimeType: string; buffer: Buffer };

/** A photograph with camera metadata: location and owner. */
export async function photograph(
  name: string,
  { owner = 'Ana Kovač', width = 640, height = 480 } = {},
): Promise<PickedFile> {
  const buffer = await noise(width, height)
    .withExif({
      IFD0: { Artist: owner, Copyright: owner, ImageDescription: name },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '45/1 45/1 0/1',
        GPSLongitudeRef: 'E',
        GPSLongitude: '4/1 50/1 0/1',
      },
    })
    .jpeg()
    .toBuffer();
  return { name, mimeType: 'image/jpeg', buffer };
}

/** A photograph of this size: noise, which does not compress. */
export async function largePhotograph(name: string, bytes: number): Promise<PickedFile> {
  const scale = Math.sqrt(bytes / IMAGE_MAX_BYTES);
  const pixels = noise(Math.floor(2_700 * scale), Math.floor(2_000 * scale));
  const plain = await pixels.jpeg({ quality: 95, chromaSubsampling: '4:4:4' }).toBuffer();
  return { name, mimeType: 'image/jpeg', buffer: filledUp(plain, bytes) };
}

function noise(width: number, height: number): Sharp {
  return sharp({
    create: {
      width,
      height,
      channels: 3,
      background: 'grey',
      noise: { type: 'gaussian', mean: 128, sigma: 60 },
    },
  });
}

/** Pads a JPEG with comments, so that its size is the same on every machine. */
function filledUp(jpeg: Buffer, bytes: number): Buffer {
  const comments: Buffer[] = [];
  for (let missing = bytes - jpeg.length; missing > 0; ) {
    const length = missing > 70_000 ? 65_000 : missing > 65_000 ? 35_000 : missing;
    if (length < 4) throw new Error('no comment is that short');
    const comment = Buffer.alloc(length, 0x20);
    comment.writeUInt16BE(0xfffe, 0);
    comment.writeUInt16BE(length - 2, 2);
    comments.push(comment);
    missing -= length;
  }
  const filled = Buffer.concat([jpeg.subarray(0, 2), ...comments, jpeg.subarray(2)]);
  if (filled.length !== bytes) throw new Error(`the noise has ${jpeg.length} bytes, which is too many`);
  return filled;
}
