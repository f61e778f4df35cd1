import { expect, test } from 'vitest';
import { dateAndTime } from '../browser/dateAndTime.ts';
import { formatDuration } from './formatDuration.ts';

test('a median shows in its two largest units', () => {
  expect(formatDuration(130_000)).toBe('2m 10s');
  expect(formatDuration(45_400)).toBe('45s');
  expect(formatDuration(0)).toBe('0s');
  expect(formatDuration(59_600)).toBe('1m 0s');
  expect(formatDuration(3 * 3_600_000 + 5 * 60_000 + 9_000)).toBe('3h 5m');
  expect(formatDuration(26 * 3_600_000)).toBe('1d 2h');
});

test('the start of a conversation shows the year only if needed', () => {
  const at = new Date(2026, 10, 12, 18, 4).getTime();
  expect(dateAndTime(at, new Date(2026, 11, 1).getTime())).toBe('12 Nov, 18:04');
  expect(dateAndTime(at, new Date(2027, 0, 1).getTime())).toBe('12 Nov 2026, 18:04');
});
