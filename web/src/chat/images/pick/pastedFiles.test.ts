import { expect, test } from 'vitest';
import { pastedFiles } from './pastedFiles.ts';

const picture = new File(['x'], 'image.png', { type: 'image/png' });
const paste = (...types: string[]) => pastedFiles({ files: [picture] as unknown as FileList, types });

test('[MEDIA-25] a pasted image is accepted; text that comes with an image of itself stays text', () => {
  expect(paste('Files')).toEqual([picture]);
  // An image copied in a browser; a file copied in a file manager.
  expect(paste('text/html', 'Files')).toEqual([picture]);
  expect(paste('text/plain', 'Files')).toEqual([picture]);
  expect(paste('text/plain', 'text/html', 'text/rtf', 'Files')).toEqual([]);
});
