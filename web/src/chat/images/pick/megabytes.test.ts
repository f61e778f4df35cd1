import { expect, test } from 'vitest';
import { megabytes, progress } from './megabytes.ts';

test('[V-17] a size is in MB with one decimal, and never zero', () => {
  expect(megabytes(2_621_440)).toBe('2.5 MB');
  expect(megabytes(10_485_759)).toBe('10.0 MB');
  expect(megabytes(800)).toBe('0.1 MB');
});

test('[MEDIA-21] the progress of an upload: 1.6 of 2.5 MB', () => {
  expect(progress(1_677_722, 2_621_440)).toBe('1.6 of 2.5 MB');
  expect(progress(0, 800)).toBe('0.0 of 0.1 MB');
});
