import { expect, test } from 'vitest';
import { imageLabel } from './imageLabel.ts';

test('[MEDIA-20] an image is named after its sender, and its file if a person named that', () => {
  expect(imageLabel('image.webp', false, 'Mara')).toBe('Image from Mara');
  expect(imageLabel('lighthouse at night.jpg', true, '')).toBe('Your image: lighthouse at night.jpg');
  expect(imageLabel('скала.png', false, 'V-1')).toBe('Image from V-1: скала.png');
});

test.each(['IMG_2034.jpeg', 'DSC01234.JPG', '20240101_101010.jpg', 'a3f0-bb12.png', 'image.png', ''])(
  '[MEDIA-20] %j is not a name',
  (fileName) => expect(imageLabel(fileName, true, '')).toBe('Your image'),
);
