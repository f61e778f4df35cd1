import { expect, test } from 'vitest';
import { imageLabel, megabytes, progress } from './imageLabel.ts';

test('an image is named after its sender, and its file if a person named that', () => {
  expect(imageLabel('image.webp', false, 'Mara')).toBe('Image from Mara');
  expect(imageLabel('lighthouse at night.jpg', true, '')).toBe('Your image: lighthouse at night.jpg');
  expect(imageLabel('скала.png', false, 'V-1')).toBe('Image from V-1: скала.png');
});

test.each(['IMG_2034.jpeg', 'DSC01234.JPG', '20240101_101010.jpg', 'a3f0-bb12.png', 'image.png', ''])(
  '%j is not a name',
  (fileName) => expect(imageLabel(fileName, true, '')).toBe('Your image'),
);

test('[V-17] a size is in MB with one decimal, and never zero', () => {
  expect(megabytes(2_621_440)).toBe('2.5 MB');
  expect(megabytes(10_485_759)).toBe('10.0 MB');
  expect(megabytes(800)).toBe('0.1 MB');
});

test('the progress of an upload: 1.6 of 2.5 MB', () => {
  expect(progress(1_677_722, 2_621_440)).toBe('1.6 of 2.5 MB');
  expect(progress(0, 800)).toBe('0.0 of 0.1 MB');
});
