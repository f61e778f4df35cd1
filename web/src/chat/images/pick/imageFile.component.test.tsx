import { texts } from '@settee/protocol/texts/texts';
import { expect, test } from 'vitest';
import { readImageFile } from './imageFile.ts';

const bytesOf = (content: string) => Uint8Array.from(content, (letter) => letter.charCodeAt(0));

test('[C-03] the browser measures an image', async () => {
  const gif = bytesOf(atob('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'));
  const file = new File([gif], 'a.gif');
  expect(await readImageFile(file)).toEqual({ file, type: 'image/gif', width: 1, height: 1 });
});

test('a HEIC photo that the browser cannot read is refused', async () => {
  const heic = bytesOf('\0\0\0\u0018ftypheic\0\0\0\0mif1heic');
  const file = new File([heic], 'IMG_1.HEIC', { type: 'image/heic' });
  expect(await readImageFile(file)).toBe(texts.imageWrongType);
});
