import { expect, test } from 'vitest';
import { seededRandom } from '../../../test/seededRandom.ts';
import { median } from './median.ts';

/** A simple implementation that does not share mistakes with the real one. */
function sortedMiddle(values: number[]): number | null {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.slice(Math.floor((sorted.length - 1) / 2), Math.floor(sorted.length / 2) + 1);
  return middle.length === 0 ? null : middle.reduce((sum, value) => sum + value, 0) / middle.length;
}

test('[DASH-04] a median is the middle of all values, in any order and with repeats', () => {
  const random = seededRandom(6);
  for (let round = 0; round < 500; round += 1) {
    const kinds = 1 + random.below(40);
    const values = Array.from({ length: random.below(60) }, () => random.below(kinds));
    expect(median(Float64Array.from(values)), values.join()).toBe(sortedMiddle(values));
  }
  for (const values of [[1, 2, 3, 4], [4, 3, 2, 1], [7], []]) {
    expect(median(Float64Array.from(values))).toBe(sortedMiddle(values));
  }
});
