import type { DeskHours, Week } from '@settee/protocol/model/hours';
import { expect, test } from 'vitest';
import { openingAt } from '../profile/openingHours.ts';
import { periodTimes } from './dashboardPeriod.ts';
import { USUAL_REPLY_MIN, usualReplyMinutes } from './usualReply.store.ts';

const at = (text: string) => Date.parse(text);
const isoTimes = (times: number[]) => times.map((time) => new Date(time).toISOString());

test('days start at the viewer’s midnight, whatever the offset', () => {
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

test('today has as many hours as the day has', () => {
  const hoursOf = (zone: string, now: string) => periodTimes('today', zone, at(now)).edges.length - 1;
  expect(hoursOf('America/New_York', '2026-11-01T12:00:00Z')).toBe(25);
  expect(hoursOf('America/New_York', '2026-03-08T12:00:00Z')).toBe(23);
  expect(hoursOf('Europe/Berlin', '2026-11-15T12:00:00Z')).toBe(24);
  // Half an hour less, half an hour more.
  expect(hoursOf('Australia/Lord_Howe', '2026-10-04T03:00:00Z')).toBe(24);
  expect(hoursOf('Australia/Lord_Howe', '2026-04-05T03:00:00Z')).toBe(25);
});

test('a day that starts at one o’clock, and one with two midnights', () => {
  // Cairo moves its clocks forward at midnight: 24 April 2026 begins at 01:00, an hour after what would be midnight.
  const cairo = periodTimes('today', 'Africa/Cairo', at('2026-04-24T12:00:00Z'));
  expect(isoTimes(cairo.edges.slice(0, 1))).toEqual(['2026-04-23T22:00:00.000Z']);
  expect(cairo.edges.length - 1).toBe(23);
  // Havana moves them back from one o'clock to midnight: the first midnight begins the day.
  const havana = periodTimes('today', 'America/Havana', at('2026-11-01T15:00:00Z'));
  expect(isoTimes(havana.edges.slice(0, 1))).toEqual(['2026-11-01T04:00:00.000Z']);
  expect(havana.edges.length - 1).toBe(25);
});

test('half a day is compared with half a day, also when the clocks changed between', () => {
  const { edges, before } = periodTimes('today', 'Europe/Berlin', at('2026-10-26T11:00:00Z'));
  expect(isoTimes(edges.slice(0, 1))).toEqual(['2026-10-25T23:00:00.000Z']);
  expect(isoTimes([before.from, before.until])).toEqual([
    '2026-10-24T22:00:00.000Z',
    '2026-10-25T10:15:00.000Z',
  ]);
});

const weekdays: Week = [...Array.from({ length: 5 }, () => [{ from: 540, to: 1020 }]), [], []];
const berlin: DeskHours = { timeZone: 'Europe/Berlin', week: weekdays };

function opening(hours: DeskHours, time: string) {
  const { open, changesAt } = openingAt(hours, at(time));
  return [open, changesAt === null ? null : new Date(changesAt).toISOString()];
}

test('[PROFILE-05] a desk is open within its hours, and away until the next ones start', () => {
  // Monday to Friday, 09:00 to 17:00. 16 November 2026 is a Monday, and Berlin is an hour ahead of UTC.
  expect(opening(berlin, '2026-11-16T07:59:59Z')).toEqual([false, '2026-11-16T08:00:00.000Z']);
  expect(opening(berlin, '2026-11-16T08:00:00Z')).toEqual([true, '2026-11-16T16:00:00.000Z']);
  expect(opening(berlin, '2026-11-16T16:00:00Z')).toEqual([false, '2026-11-17T08:00:00.000Z']);
  expect(opening(berlin, '2026-11-20T20:00:00Z')).toEqual([false, '2026-11-23T08:00:00.000Z']);
});

test('[PROFILE-05] a break and a night shift work as set', () => {
  const split: DeskHours = {
    timeZone: 'UTC',
    week: [
      [
        { from: 540, to: 720 },
        { from: 780, to: 1020 },
      ],
      [{ from: 1320, to: 1440 }],
      [{ from: 0, to: 360 }],
      [],
      [],
      [],
      [],
    ],
  };
  expect(opening(split, '2026-11-16T12:30:00Z')).toEqual([false, '2026-11-16T13:00:00.000Z']);
  expect(opening(split, '2026-11-17T23:00:00Z')).toEqual([true, '2026-11-18T00:00:00.000Z']);
  expect(opening(split, '2026-11-18T00:00:00Z')).toEqual([true, '2026-11-18T06:00:00.000Z']);
  expect(opening(split, '2026-11-18T06:00:00Z')).toEqual([false, '2026-11-23T09:00:00.000Z']);
});

test('[PROFILE-05] hours follow the wall clock when clocks go forward or back', () => {
  // Friday in winter time, Monday in summer time: clocks go forward on 28 March 2027.
  expect(opening(berlin, '2027-03-26T17:00:00Z')).toEqual([false, '2027-03-29T07:00:00.000Z']);
  // And back on 25 October 2026.
  expect(opening(berlin, '2026-10-23T17:00:00Z')).toEqual([false, '2026-10-26T08:00:00.000Z']);
  // 02:15 does not exist on 28 March: the desk opens when clocks jump to 03:00.
  const night: DeskHours = {
    timeZone: 'Europe/Berlin',
    week: [[], [], [], [], [], [], [{ from: 135, to: 240 }]],
  };
  expect(opening(night, '2027-03-28T00:30:00Z')).toEqual([false, '2027-03-28T01:00:00.000Z']);
  expect(opening(night, '2027-03-28T01:00:00Z')).toEqual([true, '2027-03-28T02:00:00.000Z']);
  // 02:15 occurs twice on 25 October: the first one opens, and the desk stays open until 04:00.
  expect(opening(night, '2026-10-25T00:00:00Z')).toEqual([false, '2026-10-25T00:15:00.000Z']);
  expect(opening(night, '2026-10-25T01:30:00Z')).toEqual([true, '2026-10-25T03:00:00.000Z']);
});

const waits = (minutes: number, count = USUAL_REPLY_MIN) => new Float64Array(count).fill(minutes * 60_000);

test('the usual reply time is rounded up to a coarse step', () => {
  for (const [minutes, shown] of [
    [0.2, 1],
    [1.1, 2],
    [3, 5],
    [10, 10],
    [11, 15],
    [61, 120],
    [500, 1_440],
  ] as const) {
    expect(usualReplyMinutes(waits(minutes))).toBe(shown);
  }
});

test('with few replies, or over a day, it is unknown', () => {
  expect(usualReplyMinutes(waits(3, USUAL_REPLY_MIN - 1))).toBeNull();
  expect(usualReplyMinutes(waits(1_441))).toBeNull();
});
