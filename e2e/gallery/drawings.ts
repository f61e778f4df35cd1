import sharp from 'sharp';
import { type DrawingName, drawings } from '../../tools/demo/content.ts';
import type { PickedFile } from '../product/images.ts';

/** Each image is drawn once. */
const drawn = new Map<string, Promise<Buffer>>();

/** An image to send. */
export async function drawing(which: DrawingName, name: string, width = 1_600): Promise<PickedFile> {
  const key = `${which} ${width}`;
  const buffer = drawn.get(key) ?? draw(which, width);
  drawn.set(key, buffer);
  return { name, mimeType: 'image/jpeg', buffer: await buffer };
}

function draw(which: DrawingName, width: number): Promise<Buffer> {
  return sharp(Buffer.from(drawings[which]), { density: 150 })
    .resize({ width })
    .jpeg({ quality: 92 })
    .toBuffer();
}
