import { expect, test } from 'vitest';
import { aheadOf } from '../../doctor/health.store.ts';
import { raw, sql } from './query.ts';

test('a slow answer does not make a clock look wrong; a wrong clock is found by how much', () => {
  const asked = { before: 100_000, after: 110_000 };
  for (const read of [100_000, 100_001, 109_999, 110_000]) expect(aheadOf(read, asked)).toBe(0);
  expect(aheadOf(113_000, asked)).toBe(3_000);
  expect(aheadOf(97_000, asked)).toBe(-3_000);
});

test('values are bound, and fragments become part of the text', () => {
  const open = sql`status = ${'open'}`;
  const query = sql`select ${raw('id')} from t where ${open} and a = ${1} and ${open} limit ${null}`;
  expect(query.text).toBe('select id from t where status = $1 and a = $2 and status = $3 limit $4');
  expect(query.values).toEqual(['open', 1, 'open', null]);
});

test('text that looks like SQL stays a value', () => {
  const name = "'; drop table staff; --";
  expect(sql`select ${name}`).toMatchObject({ text: 'select $1', values: [name] });
});

test('a fragment without text or values adds nothing', () => {
  expect(sql`a${sql``}b${sql`${1}`}c`).toMatchObject({ text: 'ab$1c', values: [1] });
});
