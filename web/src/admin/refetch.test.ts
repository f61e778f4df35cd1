import type { Topic } from '@settee/protocol/model/management';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../net/clock.ts';
import { followTopics, invalidateAfterInFlight, throttleRefetch } from './refetch.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** The number of reads in a minute of constant changes. */
async function readsInAMinute(answerMs: number): Promise<number> {
  let reads = 0;
  const refetch = throttleRefetch(() => {
    reads += 1;
    return new Promise((resolve) => setTimeout(resolve, answerMs));
  }, systemClock);
  for (let at = 0; at < 60_000; at += 100) {
    refetch.request();
    await vi.advanceTimersByTimeAsync(100);
  }
  refetch.stop();
  const before = reads;
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reads).toBe(before);
  return before;
}

test('changes are read every second, and less often if responses are slow', async () => {
  expect(await readsInAMinute(10)).toBeGreaterThan(55);
  expect(await readsInAMinute(1_000)).toBe(6);
  expect(await readsInAMinute(14_000)).toBe(2);
});

test('the last change is always read, and a failure does not end the updates', async () => {
  let reads = 0;
  const refetch = throttleRefetch(async () => {
    reads += 1;
    throw new Error('unavailable');
  }, systemClock);
  refetch.request();
  refetch.request();
  expect(reads).toBe(1);
  await vi.advanceTimersByTimeAsync(1_100);
  expect(reads).toBe(2);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(reads).toBe(2);
});

/** A visible query whose reads end when the test says so. */
function shown(queries: QueryClient) {
  const readings: (() => void)[] = [];
  let cancelled = 0;
  const observer = new QueryObserver(queries, {
    queryKey: ['messages', 'some'],
    queryFn: ({ signal }) => {
      signal.addEventListener('abort', () => {
        cancelled += 1;
      });
      const { promise, resolve } = Promise.withResolvers<number>();
      readings.push(() => resolve(readings.length));
      return promise;
    },
  });
  const stop = observer.subscribe(() => {});
  return { readings, stop, cancelled: () => cancelled };
}

test('an update during a reload does not end it: one more reload follows, for all of them', async () => {
  vi.useRealTimers();
  const queries = new QueryClient();
  const { readings, stop, cancelled } = shown(queries);
  readings[0]?.();
  await expect.poll(() => queries.isFetching()).toBe(0);

  const first = invalidateAfterInFlight(queries, ['messages']);
  expect(readings).toHaveLength(2);
  const more = [
    invalidateAfterInFlight(queries, ['messages']),
    invalidateAfterInFlight(queries, ['messages']),
  ];
  expect(readings).toHaveLength(2);
  readings[1]?.();
  await first;
  await expect.poll(() => readings.length).toBe(3);
  readings[2]?.();
  await Promise.all(more);
  expect(readings).toHaveLength(3);
  expect(cancelled()).toBe(0);
  stop();
  queries.clear();
});

test.each<[Topic, number]>([
  ['invites', 6],
  ['audit', 6],
  ['conversations', 11],
  ['staff', 100],
])('ten seconds of updates about %s lead to %i reloads, the first at once', async (topic, times) => {
  const read = vi.fn(async () => undefined);
  const refetch = followTopics(read, systemClock);
  refetch.follow(topic);
  expect(read).toHaveBeenCalledExactlyOnceWith(topic);
  for (let count = 1; count < 100; count += 1) {
    await vi.advanceTimersByTimeAsync(100);
    refetch.follow(topic);
  }
  await vi.advanceTimersByTimeAsync(10_000);
  expect(read).toHaveBeenCalledTimes(times);
});

test('updates are not followed after the session ends', async () => {
  const read = vi.fn(async () => undefined);
  const refetch = followTopics(read, systemClock);
  refetch.follow('invites');
  refetch.follow('invites');
  await vi.advanceTimersByTimeAsync(100);
  refetch.stop();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(read).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});
