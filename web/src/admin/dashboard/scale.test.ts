import { expect, test } from 'vitest';
import { linesFor, timeLine } from './scale.ts';

test.each([
  [132, [0, 50, 100, 150]],
  [0, [0, 1]],
  [1, [0, 1]],
  [3, [0, 1, 2, 3]],
  [7, [0, 5, 10]],
  [1_284, [0, 500, 1_000, 1_500]],
])('the lines of a chart whose highest bar is %d', (highest, lines) => {
  expect(linesFor(highest, 'count')).toEqual(lines);
});

test('lines for durations are at round times', () => {
  expect(linesFor(192_000, 'ms').map(timeLine)).toEqual(['0', '2m', '4m']);
  expect(linesFor(40_000, 'ms').map(timeLine)).toEqual(['0', '15s', '30s', '45s']);
  expect(linesFor(5 * 3_600_000, 'ms').map(timeLine)).toEqual(['0', '2h', '4h', '6h']);
  expect(linesFor(0, 'ms')).toHaveLength(2);
});
