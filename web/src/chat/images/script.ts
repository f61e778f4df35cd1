import { startImages } from './images.ts';
import { readImageFile } from './pick/imageFile.ts';
import { DropOverlay, PickedImages } from './pick/PickedImages.tsx';
import { Lightbox } from './show/Lightbox.tsx';
import { MediaView } from './show/MediaView.tsx';
import { UploadList } from './upload/UploadBubble.tsx';

keepDrops();

/** What load.ts brings: whatever of images a page calls or draws. */
export const imageScript = {
  startImages,
  readImageFile,
  MediaView,
  UploadList,
  PickedImages,
  DropOverlay,
  Lightbox,
};

/** A file that nobody here takes, as in a closed chat or behind a dialog, must not open in the place of the page. */
function keepDrops(): void {
  for (const type of ['dragover', 'drop'] as const) {
    addEventListener(type, (event) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
    });
  }
}
