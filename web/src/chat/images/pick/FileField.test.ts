import { expect, test } from 'vitest';
import { depthAfter, pastedFiles } from './FileField.tsx';

const picture = new File(['x'], 'image.png', { type: 'image/png' });
const paste = (...types: string[]) => pastedFiles({ files: [picture] as unknown as FileList, types });

test('a pasted image is accepted; text that comes with an image of itself stays text', () => {
  expect(paste('Files')).toEqual([picture]);
  // An image copied in a browser; a file copied in a file manager.
  expect(paste('text/html', 'Files')).toEqual([picture]);
  expect(paste('text/plain', 'Files')).toEqual([picture]);
  expect(paste('text/plain', 'text/html', 'text/rtf', 'Files')).toEqual([]);
});

/** Whether a file is over the page after each event. */
function overAfter(...types: string[]): boolean[] {
  let depth = 0;
  return types.map((type) => {
    depth = depthAfter(depth, type);
    return depth > 0;
  });
}

test('a file counts as over the page from the first element to the last, without flicker', () => {
  const [enter, over, leave] = ['dragenter', 'dragover', 'dragleave'] as const;
  expect(overAfter(enter, over, enter, leave, over, leave)).toEqual([true, true, true, true, true, false]);
  expect(overAfter(enter, over, 'drop', enter, leave)).toEqual([true, true, false, true, false]);
  // The end of the drag was missed: the pointer moves again.
  expect(overAfter(enter, enter, 'pointermove')).toEqual([true, true, false]);
});
