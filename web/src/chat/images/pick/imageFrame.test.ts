import { expect, test } from 'vitest';
import { imageFrame } from './imageFrame.ts';

const height = ({ width, aspectRatio }: { width: number; aspectRatio: number }) => width / aspectRatio;

test('an image has its place before it loads: in proportion, within 320 by 360', () => {
  expect(imageFrame({ width: 4_000, height: 3_000 })).toEqual({ width: 320, aspectRatio: 4 / 3 });
  expect(height(imageFrame({ width: 3_000, height: 4_000 }))).toBeCloseTo(360, 0);
});

test('a long strip is cropped, a tiny image gets room, and an unknown size has a place too', () => {
  expect(height(imageFrame({ width: 9_000, height: 100 }))).toBeCloseTo(133, 0);
  expect(imageFrame({ width: 1_000, height: 9_000 })).toEqual({ width: 180, aspectRatio: 0.5 });
  expect(imageFrame({ width: 16, height: 16 })).toEqual({ width: 132, aspectRatio: 1 });
  expect(imageFrame({})).toEqual({ width: 240, aspectRatio: 1.5 });
});
