import { expect, test } from 'vitest';
import { aheadOf } from '../../doctor/health.store.ts';
import { sql } from './query.ts';

test('a slow answer does not make a clock look wrong; a wrong clock is found by how much', () => {
  const asked = { before: 100_000, after: 110_000 };
  for (const read of [100_000, 100_001, 109_999, 110_000]) expect(aheadOf(read, asked)).toBe(0);
  expect(aheadOf(113_000, asked)).toBe(3_000);
  expect(aheadOf(97_000, asked)).toBe(-3_000);
});

test('text that looks like SQL stays a value', () => {
  const name = "'; drop table staff; --";
  expect(sql`select ${name}`).toMatchObject({ text: 'select $1', values: [name] });
});
