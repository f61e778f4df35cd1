import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../net/clock.ts';
import { throttleRefetch } from './throttleRefetch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** How often it is read within a minute in which something happens all the time. */
async function readsInAMinute(answerMs: number): Promise<number> {
  let reads = 0;
  const news = throttleRefetch(() => {
    reads += 1;
    return new Promise((resolve) => setTimeout(resolve, answerMs));
  }, systemClock);
  for (let at = 0; at < 60_000; at += 100) {
    news.came();
    await vi.advanceTimersByTimeAsync(100);
  }
  news.stop();
  const before = reads;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reads).toBe(before);
  return before;
}

test('news is followed every second, and seldom where answers are slow', async () => {
  expect(await readsInAMinute(10)).toBeGreaterThan(55);
  expect(await readsInAMinute(1_000)).toBe(6);
  expect(await readsInAMinute(14_000)).toBe(2);
});

test('the last news is followed, however long the rest, and failures end nothing', async () => {
  let reads = 0;
  const news = throttleRefetch(async () => {
    reads += 1;
    throw new Error('unavailable');
  }, systemClock);
  news.came();
  news.came();
  expect(reads).toBe(1);
  await vi.advanceTimersByTimeAsync(1_100);
  expect(reads).toBe(2);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reads).toBe(2);
});
