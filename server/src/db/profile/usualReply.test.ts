import { expect, test } from 'vitest';
import { USUAL_REPLY_MIN, usualReplyMinutes } from './usualReply.ts';

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
