import { describe, expect, test } from 'vitest';
import { dayLabel, relativeTime, timeOfDay } from './times.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const now = new Date(2026, 10, 15, 9, 41).getTime();

describe('[L-01] relative time', () => {
  test.each([
    [-HOUR, 'Just now'],
    [0, 'Just now'],
    [MINUTE - 1, 'Just now'],
    [MINUTE, '1m ago'],
    [HOUR - 1, '59m ago'],
    [HOUR, '1h ago'],
    [DAY - 1, '23h ago'],
    [DAY, '1d ago'],
    [400 * DAY, '400d ago'],
  ])('%i ms ago is %s', (ago, words) => {
    expect(relativeTime(now - ago, now)).toBe(words);
  });
});

test('[E-08] a time that cannot be parsed shows Invalid Date', () => {
  for (const words of [relativeTime(Number.NaN, now), timeOfDay(Number.NaN), dayLabel(Number.NaN, now)]) {
    expect(words).toBe('Invalid Date');
  }
});

test('hours and minutes have two digits', () => {
  expect(timeOfDay(now)).toBe('09:41');
  expect(timeOfDay(new Date(2026, 10, 15, 0, 5).getTime())).toBe('00:05');
});

test('a day has the shortest clear name', () => {
  expect(dayLabel(now - HOUR, now)).toBe('Today');
  expect(dayLabel(new Date(2026, 10, 14, 23, 59).getTime(), now)).toBe('Yesterday');
  expect(dayLabel(new Date(2026, 10, 13).getTime(), now)).toBe('Fri 13 Nov');
  expect(dayLabel(new Date(2025, 10, 13).getTime(), now)).toBe('Thu 13 Nov 2025');
});
