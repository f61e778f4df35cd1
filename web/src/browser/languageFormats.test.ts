import { setPageLanguage } from '@settee/protocol/texts/fillText';
import { afterEach, expect, test } from 'vitest';
import { formatDuration } from '../staff/formatDuration.ts';
import { dateAndTime } from './dateAndTime.ts';
import { listText } from './listText.ts';
import { dayLabel, timeOfDay } from './times.ts';

const at = new Date(2026, 10, 13, 9, 5).getTime();
const now = new Date(2026, 10, 18).getTime();
const nextYear = new Date(2027, 0, 1).getTime();

afterEach(() => setPageLanguage('en'));

test('English dates, times, durations and lists are as specified', () => {
  expect(dayLabel(at, now)).toBe('Fri 13 Nov');
  expect(dayLabel(at, nextYear)).toBe('Fri 13 Nov 2026');
  expect(timeOfDay(at)).toBe('09:05');
  expect(dateAndTime(at, now)).toBe('13 Nov, 09:05');
  expect(formatDuration(185_000, 2)).toBe('3m 05s');
  expect(listText(['Ana', 'Ben', 'Cleo'])).toBe('Ana, Ben, Cleo');
});

test('dates, times and durations are in the language of the page', () => {
  setPageLanguage('de');
  expect(dayLabel(at, now)).toBe('Fr., 13. Nov.');
  expect(dayLabel(at, nextYear)).toBe('Fr., 13. Nov. 2026');
  expect(timeOfDay(at)).toBe('09:05');
  expect(dateAndTime(at, now)).toBe('13. Nov., 09:05');
  expect(formatDuration(185_000)).toBe('3 Min. 5 Sek.');
  setPageLanguage('ja');
  expect(dayLabel(at, now)).toBe('11月13日(金)');
  expect(formatDuration(185_000)).toBe('3m 5s');
});
