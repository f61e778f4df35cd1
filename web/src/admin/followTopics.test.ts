import type { Topic } from '@settee/protocol/model/management';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { systemClock } from '../net/clock.ts';
import { followTopics } from './followTopics.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test.each<[Topic, number]>([
  ['invites', 6],
  ['audit', 6],
  ['conversations', 11],
  ['staff', 100],
])(
  '[OPEN-300] ten seconds of news about %s are followed %i times, the first at once',
  async (topic, times) => {
    const read = vi.fn(async () => undefined);
    const news = followTopics(read, systemClock);
    news.follow(topic);
    expect(read).toHaveBeenCalledExactlyOnceWith(topic);
    for (let told = 1; told < 100; told += 1) {
      await vi.advanceTimersByTimeAsync(100);
      news.follow(topic);
    }
    await vi.advanceTimersByTimeAsync(10_000);
    expect(read).toHaveBeenCalledTimes(times);
  },
);

test('[OPEN-300] news is not followed beyond the session that heard of it', async () => {
  const read = vi.fn(async () => undefined);
  const news = followTopics(read, systemClock);
  news.follow('invites');
  news.follow('invites');
  await vi.advanceTimersByTimeAsync(100);
  news.stop();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(read).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});
