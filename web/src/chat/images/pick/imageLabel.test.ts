import { expect, test } from 'vitest';
import { imageLabel } from './imageLabel.ts';

test('[OPEN-121] a picture is called by whose it is, and by its file if a person named that', () => {
  expect(imageLabel('image.webp', false, 'Mara')).toBe('Image from Mara');
  expect(imageLabel('lighthouse at night.jpg', true, '')).toBe('Your image: lighthouse at night.jpg');
  expect(imageLabel('скала.png', false, 'V-1')).toBe('Image from V-1: скала.png');
});

test.each(['IMG_2034.jpeg', 'DSC01234.JPG', '20240101_101010.jpg', 'a3f0-bb12.png', 'image.png', ''])(
  '[OPEN-121] %j says nothing',
  (fileName) => expect(imageLabel(fileName, true, '')).toBe('Your image'),
);
