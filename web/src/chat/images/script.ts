import { readImageFile } from './imageFile.ts';
import { startImages } from './images.ts';

/** What load.ts brings: whatever of images a page calls or draws. */
export const imageScript = { startImages, readImageFile };
