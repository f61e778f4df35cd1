import { expect, test } from 'vitest';
import { pastedFiles } from './pastedFiles.ts';

const picture = new File(['x'], 'image.png', { type: 'image/png' });
const paste = (...types: string[]) => pastedFiles({ files: [picture] as unknown as FileList, types });

test('[OPEN-123] a pasted picture is taken; words that bring a picture of themselves stay words', () => {
  expect(paste('Files')).toEqual([picture]);
  // An image copied in a browser; a file copied in a file manager.
  expect(paste('text/html', 'Files')).toEqual([picture]);
  expect(paste('text/plain', 'Files')).toEqual([picture]);
  expect(paste('text/plain', 'text/html', 'text/rtf', 'Files')).toEqual([]);
});
