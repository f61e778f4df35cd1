import { setPageLanguage } from '@settee/protocol/texts/fillText';
import { afterEach, describe, expect, test } from 'vitest';
import { formatDuration } from '../staff/formatDuration.ts';
import { dateAndTime } from './dateAndTime.ts';
import { latinDigits } from './latinDigits.ts';
import { listText } from './listText.ts';
import { storedSwitch } from './storedSwitch.ts';
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

test('a day has the shortest clear name', () => {
  expect(dayLabel(now - HOUR, now)).toBe('Today');
  expect(dayLabel(new Date(2026, 10, 14, 23, 59).getTime(), now)).toBe('Yesterday');
  expect(dayLabel(new Date(2026, 10, 13).getTime(), now)).toBe('Fri 13 Nov');
  expect(dayLabel(new Date(2025, 10, 13).getTime(), now)).toBe('Thu 13 Nov 2025');
});

const at = new Date(2026, 10, 13, 9, 5).getTime();
const later = new Date(2026, 10, 18).getTime();
const nextYear = new Date(2027, 0, 1).getTime();

afterEach(() => setPageLanguage('en'));

test('English dates, times, durations and lists are as specified', () => {
  expect(timeOfDay(at)).toBe('09:05');
  expect(dateAndTime(at, later)).toBe('13 Nov, 09:05');
  expect(formatDuration(185_000, 2)).toBe('3m 05s');
  expect(listText(['Ana', 'Ben', 'Cleo'])).toBe('Ana, Ben, Cleo');
});

test('dates, times and durations are in the language of the page', () => {
  setPageLanguage('de');
  expect(dayLabel(at, later)).toBe('Fr., 13. Nov.');
  expect(dayLabel(at, nextYear)).toBe('Fr., 13. Nov. 2026');
  expect(timeOfDay(at)).toBe('09:05');
  expect(dateAndTime(at, later)).toBe('13. Nov., 09:05');
  expect(formatDuration(185_000)).toBe('3 Min. 5 Sek.');
  setPageLanguage('ja');
  expect(dayLabel(at, later)).toBe('11月13日(金)');
  expect(formatDuration(185_000)).toBe('3m 5s');
});

test('a median shows in its two largest units', () => {
  expect(formatDuration(130_000)).toBe('2m 10s');
  expect(formatDuration(45_400)).toBe('45s');
  expect(formatDuration(0)).toBe('0s');
  expect(formatDuration(59_600)).toBe('1m 0s');
  expect(formatDuration(3 * 3_600_000 + 5 * 60_000 + 9_000)).toBe('3h 5m');
  expect(formatDuration(26 * 3_600_000)).toBe('1d 2h');
});

test('Arabic, Persian and full-width digits become Latin ones', () => {
  expect(latinDigits('٠١٢٣٤٥٦٧٨٩ ۰۱۲۳۴۵۶۷۸۹ ０１２３４５６７８９')).toBe('0123456789 0123456789 0123456789');
  expect(latinDigits('12a')).toBe('12a');
});

test('a browser that stores nothing still switches', () => {
  const keys = storedSwitch('keys', true, () => {
    throw new Error('storage is forbidden');
  });
  expect(keys.get()).toBe(true);
  keys.set(false);
  expect(keys.get()).toBe(false);
});
