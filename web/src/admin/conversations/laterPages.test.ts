import type { AdminRow } from '@settee/protocol/conversationAdminCalls';
import { expect, test } from 'vitest';
import { laterPages } from './laterPages.ts';

/** A row a page, the newest first; page 4 was the last that was asked for. */
const known = [50, 40, 30, 20, 10].map((at, n) => ({
  rows: [{ conversationId: `c${at}`, lastMessageAt: at, closedAt: null } as AdminRow],
  next: `${at}_id`,
  n,
}));

test('[OPEN-175] of a long list only the first pages are read again for a message, and nothing is lost', () => {
  const later = laterPages();
  // The first time, and whenever more than a message changed, all of it.
  expect(later.kept({ before: '30_id', n: 3 }, known)).toBeUndefined();
  expect(later.kept({ before: '20_id', n: 4 }, known)).toBeUndefined();

  // c10 has moved to the top, so that c30 is no longer in the first three.
  expect(later.kept({ before: '50_id', n: 1 }, known)).toBeUndefined();
  const kept = later.kept({ before: '40_id', n: 3 }, known);
  expect(kept?.rows.map(({ lastMessageAt }) => lastMessageAt)).toEqual([40, 30, 20, 10]);
  expect(later.kept({ before: '10_id', n: 4 }, known)).toEqual({ rows: [], next: '10_id', n: 4 });
  // What nobody has read yet is read.
  expect(later.kept({ before: '10_id', n: 5 }, known)).toBeUndefined();

  later.readAll();
  expect(later.kept({ before: '40_id', n: 3 }, known)).toBeUndefined();
  expect(later.kept({ before: '20_id', n: 4 }, known)).toBeUndefined();
  expect(later.kept({ before: '40_id', n: 3 }, known)).toBeDefined();
});
