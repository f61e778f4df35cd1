import { expect, test } from 'vitest';
import { keyboardIn } from './useKeyboard.ts';

test('[L-05] a keyboard is there once the viewport lost more than 100 px', () => {
  expect(keyboardIn(800, 800)).toEqual({ open: false, height: 800 });
  expect(keyboardIn(800, 700)).toEqual({ open: false, height: 700 });
  expect(keyboardIn(800, 699)).toEqual({ open: true, height: 699 });
  expect(keyboardIn(800, 480.6)).toEqual({ open: true, height: 481 });
});

test('[L-05] no less than 200 px are ever reported', () => {
  expect(keyboardIn(640, 120)).toEqual({ open: true, height: 200 });
});
