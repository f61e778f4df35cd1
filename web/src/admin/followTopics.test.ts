import type { Topic } from '@settee/protocol/management';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { followTopics } from './followTopics.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test.each<[Topic, number]>([
  ['invites', 6],
  ['audit', 6],
  ['staff', 100],
])('[OPEN-300] ten seconds of news about %s are followed %i times, the first at once', (topic, times) => {
  const read = vi.fn();
  const follow = followTopics(read);
  follow(topic);
  expect(read).toHaveBeenCalledExactlyOnceWith(topic);
  for (let told = 1; told < 100; told += 1) {
    vi.advanceTimersByTime(100);
    follow(topic);
  }
  vi.advanceTimersByTime(10_000);
  expect(read).toHaveBeenCalledTimes(times);
});
