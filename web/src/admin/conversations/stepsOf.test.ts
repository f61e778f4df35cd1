import { expect, test } from 'vitest';
import { stepsOf } from './stepsOf.ts';

test('[OPEN-289] many conversations are changed a few at a time, none left out and none twice', () => {
  const ids = Array.from({ length: 510 }, (_, index) => `id-${index}`);
  const steps = stepsOf(ids);
  expect(steps.flat()).toEqual(ids);
  expect(Math.max(...steps.map((step) => step.length))).toBe(25);
  expect(stepsOf([])).toEqual([]);
});
