import { expect, test } from 'vitest';
import { percentile, spread } from './percentile.ts';

test('half of the samples lie below the median, all but a hundredth below p99', () => {
  const samples = Array.from({ length: 1_000 }, (_, index) => 999 - index);
  expect(spread(samples)).toEqual({ p50: 500, p99: 990 });
});

test('one sample is every percentile, and none is none', () => {
  expect(percentile([7], 0.99)).toBe(7);
  expect(percentile([], 0.5)).toBeNaN();
});
