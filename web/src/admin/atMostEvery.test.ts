import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { atMostEvery } from './atMostEvery.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('acts at once, then once per pause however often it is asked, and never misses the last', () => {
  const act = vi.fn();
  const ask = atMostEvery(2_000, act);
  ask();
  expect(act).toHaveBeenCalledTimes(1);
  for (let asked = 0; asked < 8; asked += 1) {
    ask();
    vi.advanceTimersByTime(500);
  }
  // At 0, 2 and 4 seconds.
  expect(act).toHaveBeenCalledTimes(3);
  vi.advanceTimersByTime(10_000);
  expect(act).toHaveBeenCalledTimes(3);
  ask();
  expect(act).toHaveBeenCalledTimes(4);
});
