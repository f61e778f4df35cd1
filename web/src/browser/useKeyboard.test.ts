import { expect, test } from 'vitest';
import { measureKeyboard } from './useKeyboard.ts';

test('[L-05] a keyboard is open once the viewport shrinks by more than 100 px', () => {
  expect(measureKeyboard(800, 800)).toEqual({ open: false, height: 800 });
  expect(measureKeyboard(800, 700)).toEqual({ open: false, height: 700 });
  expect(measureKeyboard(800, 699)).toEqual({ open: true, height: 699 });
  expect(measureKeyboard(800, 480.6)).toEqual({ open: true, height: 481 });
});

test('[L-05] the smallest reported height is 200 px', () => {
  expect(measureKeyboard(640, 120)).toEqual({ open: true, height: 200 });
});
