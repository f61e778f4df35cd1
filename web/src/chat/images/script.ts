import { DropHere } from './DropHere.tsx';
import { readImageFile } from './imageFile.ts';
import { startImages } from './images.ts';
import { keepDrops } from './keepDrops.ts';
import { Lightbox } from './Lightbox.tsx';
import { MediaView } from './MediaView.tsx';
import { Picked } from './Picked.tsx';
import { UploadList } from './UploadList.tsx';

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
