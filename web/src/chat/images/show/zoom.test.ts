import { expect, test } from 'vitest';
import { FIT, panBy, zoomTo } from './zoom.ts';

const room = { picture: { width: 400, height: 200 }, stage: { width: 400, height: 600 } };

test('the point under the pointer stays while the image grows', () => {
  const view = zoomTo(FIT, 2, { x: 100, y: 0 }, room);
  expect(view).toEqual({ scale: 2, x: -100, y: 0 });
  // The point 100 px right of the centre keeps its place in the image.
  expect((100 - view.x) / view.scale).toBe(100);
});

test('the image never leaves the stage, grows to six times and returns to the middle', () => {
  const large = zoomTo(FIT, 99, { x: 0, y: 0 }, room);
  expect(large.scale).toBe(6);
  expect(panBy(large, { x: 9_999, y: -9_999 }, room)).toEqual({ scale: 6, x: 1_000, y: -300 });
  expect(zoomTo(panBy(large, { x: 500, y: 0 }, room), 0.1, { x: 50, y: 50 }, room)).toEqual(FIT);
});

test('a side that fits cannot be moved', () => {
  expect(panBy(zoomTo(FIT, 2, { x: 0, y: 0 }, room), { x: 50, y: 50 }, room)).toMatchObject({
    x: 50,
    y: 0,
  });
});
