import type { DeskHours, Week } from '@settee/protocol/model/hours';
import { expect, test } from 'vitest';
import { openingAt } from './openingHours.ts';

const at = (time: string) => new Date(time).getTime();
const none: Week = [[], [], [], [], [], [], []];
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

test('[PROFILE-05] zones far from UTC and with half hours have their own weekday', () => {
  const auckland: DeskHours = { ...berlin, timeZone: 'Pacific/Auckland' };
  // Sunday evening in UTC is Monday morning in Auckland (UTC+13 in November).
  expect(opening(auckland, '2026-11-15T20:30:00Z')).toEqual([true, '2026-11-16T04:00:00.000Z']);
  const kolkata: DeskHours = { ...berlin, timeZone: 'Asia/Kolkata' };
  expect(opening(kolkata, '2026-11-16T03:29:00Z')).toEqual([false, '2026-11-16T03:30:00.000Z']);
});

test('[PROFILE-05] a week without hours has no next opening', () => {
  expect(opening({ timeZone: 'UTC', week: none }, '2026-11-16T12:00:00Z')).toEqual([false, null]);
});
