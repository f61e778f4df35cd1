import { expect, test } from 'vitest';
import { ignoreWhileRunning } from './ignoreWhileRunning.ts';

test('[OPEN-302] what is asked for while the last is under way is not done; afterwards it is, whatever became of it', async () => {
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
