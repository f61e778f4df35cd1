import { expect, test } from 'vitest';
import { megabytes, progress } from './megabytes.ts';

test('[V-17] a size is said in MB with one digit, and never as nothing', () => {
  expect(megabytes(2_621_440)).toBe('2.5 MB');
  expect(megabytes(10_485_759)).toBe('10.0 MB');
  expect(megabytes(800)).toBe('0.1 MB');
});

test('[OPEN-121] how far an upload is: 1.6 of 2.5 MB', () => {
  expect(progress(1_677_722, 2_621_440)).toBe('1.6 of 2.5 MB');
  expect(progress(0, 800)).toBe('0.0 of 0.1 MB');
});
