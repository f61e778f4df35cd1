import { expect, test } from 'vitest';
import { imageFileName } from './processMedia.ts';

test.each([
  ['cat.png', 'image/png', 'cat.png'],
  ['Cat.JPEG', 'image/jpeg', 'Cat.JPEG'],
  ['cat.jpg', 'image/jpeg', 'cat.jpg'],
  ['cat.gif', 'image/webp', 'cat.webp'],
  ['cat.html', 'image/png', 'cat.png'],
  ['archive.tar.gz', 'image/png', 'archive.tar.png'],
  ['a sentence. And more', 'image/png', 'a sentence. And more.png'],
  ['no ending', 'image/gif', 'no ending.gif'],
  ['', 'image/webp', 'image.webp'],
  ['.png', 'image/png', 'image.png'],
  ['.jpeg', 'image/jpeg', 'image.jpg'],
  ['.html', 'image/gif', 'image.gif'],
  ['..png', 'image/png', 'image.png'],
  ['.', 'image/png', 'image.png'],
  ['.hidden.png', 'image/png', '.hidden.png'],
  ['', 'image/unheard-of', 'image.jpg'],
])('[D-10] %j that became %s is called %j', (given, type, name) => {
  expect(imageFileName(given, type)).toBe(name);
});
