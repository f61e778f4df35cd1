import { expect, test } from 'vitest';
import { initialCrop, moveCrop, sideOf, ZOOM_MAX, zoomCrop } from './crop.ts';

const size = { width: 400, height: 200 };

test('a picture is first cropped in the middle, as large as possible', () => {
  expect(initialCrop(size)).toEqual({ left: 100, top: 0, zoom: 1 });
  expect(sideOf(size, 1)).toBe(200);
});

test('the square stays inside the picture, however far it is moved or zoomed', () => {
  const whole = initialCrop(size);
  expect(moveCrop(size, whole, { x: 1_000, y: 1_000 })).toEqual({ left: 200, top: 0, zoom: 1 });
  expect(moveCrop(size, whole, { x: -1_000, y: -5 })).toEqual({ left: 0, top: 0, zoom: 1 });
  const near = zoomCrop(size, whole, 2);
  expect(near).toEqual({ left: 150, top: 50, zoom: 2 });
  expect(zoomCrop(size, near, 100).zoom).toBe(ZOOM_MAX);
  const corner = moveCrop(size, near, { x: 1_000, y: 1_000 });
  expect(corner).toEqual({ left: 300, top: 100, zoom: 2 });
  expect(zoomCrop(size, corner, 0)).toEqual({ left: 200, top: 0, zoom: 1 });
});
