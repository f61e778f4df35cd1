import { expect, test } from 'vitest';
import { ignoreWhileRunning } from './ignoreWhileRunning.ts';

test('a second request while one is pending does nothing; afterwards it works, whatever the outcome', async () => {
  const once = ignoreWhileRunning();
  const done: string[] = [];
  const under = Promise.withResolvers<string>();
  const first = once(() => under.promise);
  expect(await once(async () => done.push('second'))).toBe(undefined);
  expect(done).toEqual([]);
  under.resolve('first');
  expect(await first).toBe('first');
  await expect(once(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await once(async () => 'third')).toBe('third');
});
