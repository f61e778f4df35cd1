import { expect, test } from 'vitest';
import type { Clock } from '../ports.ts';
import { Bucket } from './bucket.ts';

function bucketAt(start: number) {
  let now = start;
  const bucket = new Bucket({ now: () => now } as Clock, { burst: 10, perSecond: 2 });
  const pass = (ms: number): void => {
    now += ms;
  };
  return { bucket, pass };
}

test('a bucket allows its burst and then its rate, and never more than its burst', () => {
  const { bucket, pass } = bucketAt(1_000_000);
  const takeAll = (): number => {
    let taken = 0;
    while (bucket.take()) taken += 1;
    return taken;
  };
  expect(bucket.level()).toBe(1);
  expect(takeAll()).toBe(10);
  pass(499);
  expect(takeAll()).toBe(0);
  pass(1);
  expect(takeAll()).toBe(1);
  pass(60_000);
  expect(bucket.level()).toBe(1);
  expect(takeAll()).toBe(10);
});

test('a charge may leave a debt, and says how long it takes to pay it', () => {
  const { bucket, pass } = bucketAt(0);
  expect(bucket.charge(10)).toBe(0);
  expect(bucket.charge(3)).toBe(1_500);
  expect(bucket.level()).toBe(-0.3);
  expect(bucket.take()).toBe(false);
  pass(1_500);
  expect(bucket.charge(0)).toBe(0);
  expect(bucket.level()).toBe(0);
  pass(500);
  expect(bucket.take()).toBe(true);
});
