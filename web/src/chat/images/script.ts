import { startImages } from './images.ts';
import { readImageFile } from './pick/imageFile.ts';
import { DropOverlay, PickedImages } from './pick/PickedImages.tsx';
import { Lightbox } from './show/Lightbox.tsx';
import { MediaView } from './show/MediaView.tsx';
import { UploadList } from './upload/UploadBubble.tsx';

keepDrops();

export const imageScript = {
  startImages,
  readImageFile,
  MediaView,
  UploadList,
  PickedImages,
  DropOverlay,
  Lightbox,
};

/** Prevents the browser from opening a dropped file in place of the page. */
function keepDrops(): void {
  for (const type of ['dragover', 'drop'] as const) {
    addEventListener(type, (event) => {
      if (event.dataTransfer?.types.includes('Files')) event.preventDefault();
    });
  }
}
