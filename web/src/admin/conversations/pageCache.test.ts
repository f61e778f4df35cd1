import type { AdminRow } from '@settee/protocol/calls/conversationAdminCalls';
import { expect, test } from 'vitest';
import { REFETCH_INTERVAL_MS } from '../refetch.ts';
import { pageCache } from './pageCache.ts';

/** One row per page, newest first. Page 4 was the last one requested. */
const known = [50, 40, 30, 20, 10].map((at, n) => ({
  rows: [{ conversationId: `c${at}`, lastMessageAt: at, closedAt: null } as AdminRow],
  next: `${at}_id`,
  n,
}));

test('in a long list only the first pages reload for a message, and nothing is lost', () => {
  const cache = pageCache();
  // The first time, and when more than a message changed, everything reloads.
  expect(cache.kept({ before: '30_id', n: 3 }, known)).toBeUndefined();
  expect(cache.kept({ before: '20_id', n: 4 }, known)).toBeUndefined();

  // c10 has moved to the top, so c30 is no longer on the first three pages.
  expect(cache.kept({ before: '50_id', n: 1 }, known)).toBeUndefined();
  const kept = cache.kept({ before: '40_id', n: 3 }, known);
  expect(kept?.rows.map(({ lastMessageAt }) => lastMessageAt)).toEqual([40, 30, 20, 10]);
  expect(cache.kept({ before: '10_id', n: 4 }, known)).toEqual({ rows: [], next: '10_id', n: 4 });
  // A page that was never read is read.
  expect(cache.kept({ before: '10_id', n: 5 }, known)).toBeUndefined();

  cache.invalidate();
  expect(cache.kept({ before: '40_id', n: 3 }, known)).toBeUndefined();
  expect(cache.kept({ before: '20_id', n: 4 }, known)).toBeUndefined();
  expect(cache.kept({ before: '40_id', n: 3 }, known)).toBeDefined();
});

test('rows without updates reload after half a minute, also far down', () => {
  let at = 0;
  const cache = pageCache(() => at);
  const isRead = () => cache.kept({ before: '40_id', n: 3 }, known) === undefined;
  expect(isRead()).toBe(true);
  at += 20_000;
  expect(isRead()).toBe(false);
  at += REFETCH_INTERVAL_MS - 20_000;
  expect(isRead()).toBe(true);
  expect(cache.kept({ before: '20_id', n: 4 }, known)).toBeUndefined();
  expect(isRead()).toBe(false);
});

test('a row that moved to another page appears once, in its current state', () => {
  const [first, ...rest] = known;
  const moved = { ...first?.rows[0], conversationId: 'c10' } as AdminRow;
  const cache = pageCache();
  cache.kept({ before: '30_id', n: 3 }, known);
  const pages = [{ rows: [moved], next: '50_id', n: 0 }, ...rest];
  const kept = cache.kept({ before: '60_id', n: 3 }, pages);
  expect(kept?.rows.map(({ conversationId }) => conversationId)).toEqual(['c10', 'c40', 'c30', 'c20']);
  expect(kept?.rows[0]?.lastMessageAt).toBe(50);
});
