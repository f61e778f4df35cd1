import { startImages } from '../../../web/src/chat/images/images.ts';
import type { ImageFile } from '../../../web/src/chat/images/pick/imageFile.ts';
import { scheduler } from '../time.ts';

const READ_MS = 5;

/** The image script without its components. Files are small objects: the real ones are read in the thread pool. */
const script = {
  startImages,
  readImageFile: (file: File): Promise<ImageFile> =>
    new Promise((resolve) => {
      scheduler.after(READ_MS, () => resolve({ file, type: 'image/png', width: 4, height: 3 }));
    }),
};

export async function loadImages(): Promise<typeof script> {
  return script;
}
