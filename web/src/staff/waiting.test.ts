import { expect, test } from 'vitest';
import { waitingOf } from './waiting.ts';

const NOW = 1_800_000_000_000;
const MINUTE_MS = 60_000;
const after = (minutes: number) => waitingOf({ waitingSince: NOW - minutes * MINUTE_MS }, NOW);

test('a visitor who has waited for less than five minutes, or not at all, is not marked', () => {
  expect(waitingOf({ waitingSince: null }, NOW)).toBeNull();
  expect(after(0)).toBeNull();
  expect(after(4.99)).toBeNull();
  // A clock behind the server's.
  expect(after(-3)).toBeNull();
});

test('from five minutes a chip shows the wait, from fifteen it is urgent', () => {
  expect(after(5)).toEqual({ text: 'Waiting 5m', long: false });
  expect(after(14.99)).toEqual({ text: 'Waiting 14m', long: false });
  expect(after(15)).toEqual({ text: 'Waiting 15m', long: true });
  expect(after(59.99)).toEqual({ text: 'Waiting 59m', long: true });
});

test('the thresholds are those that the administrator set', () => {
  const settings = { waitingMinutes: 1, waitingLongMinutes: 3 };
  const set = (minutes: number) => waitingOf({ waitingSince: NOW - minutes * MINUTE_MS }, NOW, settings);
  expect([set(0.9), set(1)?.long, set(2.9)?.long, set(3)?.long]).toEqual([null, false, false, true]);
});

test('hours after an hour, days after a day', () => {
  expect(after(60)?.text).toBe('Waiting 1h');
  expect(after(24 * 60 - 1)?.text).toBe('Waiting 23h');
  expect(after(3 * 24 * 60)?.text).toBe('Waiting 3d');
});
