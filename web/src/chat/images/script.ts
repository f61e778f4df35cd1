import { startImages } from './images.ts';
import { DropHere } from './pick/DropHere.tsx';
import { readImageFile } from './pick/imageFile.ts';
import { keepDrops } from './pick/keepDrops.ts';
import { Picked } from './pick/Picked.tsx';
import { Lightbox } from './show/Lightbox.tsx';
import { MediaView } from './show/MediaView.tsx';
import { UploadList } from './upload/UploadList.tsx';

keepDrops();

/** What load.ts brings: whatever of images a page calls or draws. */
export const imageScript = {
  startImages,
  readImageFile,
  MediaView,
  UploadList,
  Picked,
  DropHere,
  Lightbox,
};
