import { expect, test } from 'vitest';
import { chunksOf } from './chunksOf.ts';

test('many conversations are changed in small steps, none left out and none twice', () => {
  const ids = Array.from({ length: 510 }, (_, index) => `id-${index}`);
  const chunks = chunksOf(ids, 25);
  expect(chunks.flat()).toEqual(ids);
  expect(Math.max(...chunks.map((chunk) => chunk.length))).toBe(25);
  expect(chunksOf([], 25)).toEqual([]);
});
