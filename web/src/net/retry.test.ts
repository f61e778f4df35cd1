import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Api } from './api.ts';
import { retryUntilAnswered, withRetries } from './retry.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const lost = { ok: false, status: 0 };

/** Returns these answers one after the other, the last one forever. */
function giving<T>(...answers: T[]) {
  return vi.fn(async () => (answers.length > 1 ? answers.shift() : answers[0]) as T);
}

test('[NET-14] a call without an answer is repeated three times, with growing pauses', async () => {
  const ask = giving(false);
  const begun = Date.now();
  const asked = retryUntilAnswered(ask, Boolean);
  await vi.runAllTimersAsync();
  expect(await asked).toBe(false);
  expect(ask).toHaveBeenCalledTimes(4);
  expect(Date.now() - begun).toBeGreaterThan(2_500);
  expect(Date.now() - begun).toBeLessThan(5_000);
});

test('[NET-14] an answer ends the repeats, and so does a browser that is offline', async () => {
  const ask = giving(false, true);
  const asked = retryUntilAnswered(ask, Boolean);
  await vi.runAllTimersAsync();
  expect(await asked).toBe(true);
  expect(ask).toHaveBeenCalledTimes(2);

  vi.stubGlobal('navigator', { onLine: false });
  const offline = giving(false);
  expect(await retryUntilAnswered(offline, Boolean)).toBe(false);
  expect(offline).toHaveBeenCalledTimes(1);
});

test('[NET-14] only calls that may arrive twice are repeated, and a refusal is an answer', async () => {
  const calls: string[] = [];
  const api = withRetries(
    (async (name: string) => {
      calls.push(name);
      return name === 'checkInvite' ? { ok: false, status: 503 } : lost;
    }) as unknown as Api,
    (name) => name !== 'eraseOwn',
  );
  const all = Promise.all([
    api('checkInvite', { params: { token: 't' } }),
    api('readBrand', {}),
    api('eraseOwn' as 'readBrand', {}),
  ]);
  await vi.runAllTimersAsync();
  await all;
  expect(calls.filter((name) => name === 'checkInvite')).toHaveLength(1);
  expect(calls.filter((name) => name === 'readBrand')).toHaveLength(4);
  expect(calls.filter((name) => name === 'eraseOwn')).toHaveLength(1);
});
