import { expect, test } from 'vitest';
import { depthAfter } from './useFileDrop.ts';

/** Whether a file is over the page after each event. */
function overAfter(...types: string[]): boolean[] {
  let depth = 0;
  return types.map((type) => {
    depth = depthAfter(depth, type);
    return depth > 0;
  });
}

test('[MEDIA-25] a file counts as over the page from the first element to the last, without flicker', () => {
  const [enter, over, leave] = ['dragenter', 'dragover', 'dragleave'] as const;
  expect(overAfter(enter, over, enter, leave, over, leave)).toEqual([true, true, true, true, true, false]);
  expect(overAfter(enter, over, 'drop', enter, leave)).toEqual([true, true, false, true, false]);
  // The end of the drag was missed: the pointer moves again.
  expect(overAfter(enter, enter, 'pointermove')).toEqual([true, true, false]);
});
