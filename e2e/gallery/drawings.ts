import sharp from 'sharp';
import { type DrawingName, drawings } from '../../bin/demo/drawings.ts';
import type { PickedFile } from '../product/pictures.ts';

/** A picture that somebody might send. */
export async function drawing(which: DrawingName, name: string, width = 1_600): Promise<PickedFile> {
  const buffer = await sharp(Buffer.from(drawings[which]), { density: 150 })
    .resize({ width })
    .jpeg({ quality: 92 })
    .toBuffer();
  return { name, mimeType: 'image/jpeg', buffer };
}
