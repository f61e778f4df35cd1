import { expect, test } from 'vitest';
import { periodTimes } from './dashboardPeriod.ts';

const at = (text: string) => Date.parse(text);
const isoTimes = (times: number[]) => times.map((time) => new Date(time).toISOString());

test('[DASH-04] days start at the viewer’s midnight, whatever the offset', () => {
  const { edges, before } = periodTimes('7days', 'Asia/Kathmandu', at('2026-11-15T10:07:00Z'));
  expect(edges).toHaveLength(8);
  expect(isoTimes(edges.slice(0, 2))).toEqual(['2026-11-08T18:15:00.000Z', '2026-11-09T18:15:00.000Z']);
  expect(isoTimes(edges.slice(-1))).toEqual(['2026-11-15T18:15:00.000Z']);
  // The same part of the previous week as has passed of this one, to the quarter of an hour.
  expect(isoTimes([before.from, before.until])).toEqual([
    '2026-11-01T18:15:00.000Z',
    '2026-11-08T10:15:00.000Z',
  ]);
});

test('[DASH-04] today has as many hours as the day has', () => {
  const hoursOf = (zone: string, now: string) => periodTimes('today', zone, at(now)).edges.length - 1;
  expect(hoursOf('America/New_York', '2026-11-01T12:00:00Z')).toBe(25);
  expect(hoursOf('America/New_York', '2026-03-08T12:00:00Z')).toBe(23);
  expect(hoursOf('Europe/Berlin', '2026-11-15T12:00:00Z')).toBe(24);
  // Half an hour less, half an hour more.
  expect(hoursOf('Australia/Lord_Howe', '2026-10-04T03:00:00Z')).toBe(24);
  expect(hoursOf('Australia/Lord_Howe', '2026-04-05T03:00:00Z')).toBe(25);
});

test('[DASH-04] a day that starts at one o’clock, and one with two midnights', () => {
  // Cairo moves its clocks forward at midnight: 24 April 2026 begins at 01:00, an hour after what would be midnight.
  const cairo = periodTimes('today', 'Africa/Cairo', at('2026-04-24T12:00:00Z'));
  expect(isoTimes(cairo.edges.slice(0, 1))).toEqual(['2026-04-23T22:00:00.000Z']);
  expect(cairo.edges.length - 1).toBe(23);
  // Havana moves them back from one o'clock to midnight: the first midnight begins the day.
  const havana = periodTimes('today', 'America/Havana', at('2026-11-01T15:00:00Z'));
  expect(isoTimes(havana.edges.slice(0, 1))).toEqual(['2026-11-01T04:00:00.000Z']);
  expect(havana.edges.length - 1).toBe(25);
});

test('[DASH-04] half a day is compared with half a day, also when the clocks changed between', () => {
  const { edges, before } = periodTimes('today', 'Europe/Berlin', at('2026-10-26T11:00:00Z'));
  expect(isoTimes(edges.slice(0, 1))).toEqual(['2026-10-25T23:00:00.000Z']);
  expect(isoTimes([before.from, before.until])).toEqual([
    '2026-10-24T22:00:00.000Z',
    '2026-10-25T10:15:00.000Z',
  ]);
});
