import { expect, test } from 'vitest';
import { eachOf } from './eachOf.ts';

test('when one of many fails, no other starts, and running ones finish before the failure is reported', async () => {
  const begun: string[] = [];
  const done: string[] = [];
  const ids = Array.from({ length: 9 }, (_, i) => `c${i}`);
  const all = eachOf(ids, async (id) => {
    begun.push(id);
    if (id === 'c1') throw new Error('nobody answers there');
    await new Promise((resolve) => setImmediate(resolve));
    done.push(id);
    return true;
  });
  await expect(all).rejects.toThrow('nobody answers there');
  expect([begun, done]).toEqual([
    ['c0', 'c1', 'c2'],
    ['c0', 'c2'],
  ]);
  await new Promise((resolve) => setTimeout(resolve));
  expect(begun).toHaveLength(3);
});
