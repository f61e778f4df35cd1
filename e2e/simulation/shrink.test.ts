import { expect, test } from 'vitest';
import { shrink } from './shrink.ts';

test('shrinking leaves only what a failure needs', async () => {
  const items = Array.from({ length: 500 }, (_, item) => item);
  const needed = [7, 8, 250, 499];
  const left = await shrink(items, async (fewer) => needed.every((item) => fewer.includes(item)));
  expect(left).toEqual(needed);
});
