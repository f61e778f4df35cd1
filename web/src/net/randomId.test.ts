import { Uuid } from '@settee/protocol/model/ids';
import * as v from 'valibot';
import { expect, test } from 'vitest';
import { randomId } from './randomId.ts';

test('ids made without crypto.randomUUID are version 4 UUIDs, and unique', () => {
  const ids = Array.from({ length: 1_000 }, randomId);
  for (const id of ids) {
    expect(v.is(Uuid, id)).toBe(true);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
  expect(new Set(ids).size).toBe(ids.length);
  // Every free digit takes every value.
  for (let place = 0; place < 8; place += 1) {
    expect(new Set(ids.map((id) => id[place])).size).toBe(16);
  }
});
