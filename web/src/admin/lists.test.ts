import { type AdminRow, CONVERSATION_COUNT_MAX } from '@settee/protocol/calls/conversationAdminCalls';
import type { Topic } from '@settee/protocol/model/management';
import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { systemClock } from '../net/clock.ts';
import { actionText, actorText, detailText, targetLink, targetText } from './audit/auditText.ts';
import { countText, filtersIn, queryOf, searchOf } from './conversations/FilterBar.tsx';
import { pageCache } from './conversations/useConversationList.ts';
import { inChunks } from './inChunks.ts';
import { rangeText } from './parts/paging.ts';
import { followTopics, invalidateAfterInFlight, REFETCH_INTERVAL_MS } from './refetch.ts';

test('actions show as text, also those without a text of their own', () => {
  expect(actionText('conversation.transfer')).toBe('Handed a conversation over');
  expect(actionText('thing.madeUp')).toBe('Thing: made up');
});

test('the author is a name, the command line, Settee itself, or a visitor', () => {
  expect(actorText({ kind: 'staff', id: 'x', name: 'Ana' })).toBe('Ana');
  expect(actorText({ kind: 'commandLine', id: 'cli', name: 'cli' })).toBe('Command line');
  expect(actorText({ kind: 'system', id: 'system', name: 'system' })).toBe('Settee itself');
  expect(actorText({ kind: 'unknown', id: 'visitor', name: 'visitor' })).toBe('The visitor');
});

test('details show as text', () => {
  expect(detailText({ from: 'east', to: 'west' })).toBe('from: east, to: west');
  expect(detailText({ keepDays: null, verified: false, disclosure: '' })).toBe(
    'days to keep: forever, verified: no, disclosure line: none',
  );
  expect(detailText({ disclosure: null, alias: null })).toBe('disclosure line: default');
  expect(detailText({ elsewhere: 2 })).toBe('other sessions: 2');
});

test('conversations, people, invites and the profile are linked', () => {
  expect(targetLink({ kind: 'conversation', id: 'c', name: 'Ines' })).toBe('/conversations/c');
  expect(targetLink({ kind: 'person', id: 'p', name: 'Ana' })).toBe('/handlers');
  expect(targetLink({ kind: 'invite', id: 'i', name: 'Fair & Co' })).toBe('/invites?search=Fair%20%26%20Co');
  expect(targetText({ kind: 'invite', id: '4e1b1843-747a', name: '' })).toBe('Invite 4e1b1843');
  expect(targetLink({ kind: 'other', id: 'brand', name: 'brand' })).toBe('/profile');
  expect(targetLink({ kind: 'other', id: 'x', name: 'x' })).toBeUndefined();
  expect(targetText({ kind: 'other', id: 'brand', name: 'brand' })).toBe('The public profile');
});

test('a chip shows its count, and whether counting stopped', () => {
  const counts = { open: 12, waiting: 3, closed: 58, blocked: 1 };
  expect(countText('', counts)).toBe('71');
  expect(countText('closed', { ...counts, closed: CONVERSATION_COUNT_MAX })).toBe('999+');
  expect(countText('', { ...counts, closed: CONVERSATION_COUNT_MAX })).toBe('999+');
  expect(countText('open', undefined)).toBeUndefined();
});

test('the foot says which rows show, as far as they are counted', () => {
  expect(rangeText(50, 1_320)).toBe('1 to 50 of 1,320');
  expect(rangeText(50, '999+')).toBe('1 to 50 of 999+');
});

test('after a failure, calls in chunks go on where they stopped', async () => {
  const [done, failed] = [{ ok: true, answer: 1 }, { ok: false }];
  const call = vi.fn().mockResolvedValueOnce(done).mockResolvedValueOnce(failed).mockResolvedValue(done);
  const callEach = inChunks(['a', 'b', 'c'], 1);
  expect(await callEach(call)).toEqual(failed);
  expect(await callEach(call)).toEqual({ ok: true, answer: [1, 1, 1] });
  expect(call.mock.calls.flat(2)).toEqual(['a', 'b', 'b', 'c']);
});

test('the address stores the search and its scope; the list itself is searched by names only', () => {
  const filters = filtersIn(new URLSearchParams('q=lyon&in=messages&show=nonsense&message=4'));
  expect(filters).toEqual({ show: '', alias: '', q: 'lyon', in: 'messages' });
  expect(searchOf(filters)).toEqual({ q: 'lyon', in: 'messages' });
  expect(queryOf(filters)).toEqual({ q: 'lyon' });
  expect(queryOf({ ...filters, q: ' l ' })).toEqual({});
});

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

describe('reloading', () => {
  beforeEach(() => void vi.useFakeTimers());

  afterEach(() => void vi.useRealTimers());

  /** A visible query whose reads end when the test says so. */
  function shown(queries: QueryClient) {
    const readings: (() => void)[] = [];
    let cancelled = 0;
    const observer = new QueryObserver(queries, {
      queryKey: ['messages', 'some'],
      queryFn: ({ signal }) => {
        signal.addEventListener('abort', () => {
          cancelled += 1;
        });
        const { promise, resolve } = Promise.withResolvers<number>();
        readings.push(() => resolve(readings.length));
        return promise;
      },
    });
    const stop = observer.subscribe(() => {});
    return { readings, stop, cancelled: () => cancelled };
  }

  test('an update during a reload does not end it: one more reload follows, for all of them', async () => {
    vi.useRealTimers();
    const queries = new QueryClient();
    const { readings, stop, cancelled } = shown(queries);
    readings[0]?.();
    await expect.poll(() => queries.isFetching()).toBe(0);

    const first = invalidateAfterInFlight(queries, ['messages']);
    expect(readings).toHaveLength(2);
    const more = [
      invalidateAfterInFlight(queries, ['messages']),
      invalidateAfterInFlight(queries, ['messages']),
    ];
    expect(readings).toHaveLength(2);
    readings[1]?.();
    await first;
    await expect.poll(() => readings.length).toBe(3);
    readings[2]?.();
    await Promise.all(more);
    expect(readings).toHaveLength(3);
    expect(cancelled()).toBe(0);
    stop();
    queries.clear();
  });

  test.each<[Topic, number]>([
    ['invites', 6],
    ['audit', 6],
    ['conversations', 11],
    ['staff', 100],
  ])('ten seconds of updates about %s lead to %i reloads, the first at once', async (topic, times) => {
    const read = vi.fn(async () => undefined);
    const refetch = followTopics(read, systemClock);
    refetch.follow(topic);
    expect(read).toHaveBeenCalledExactlyOnceWith(topic);
    for (let count = 1; count < 100; count += 1) {
      await vi.advanceTimersByTimeAsync(100);
      refetch.follow(topic);
    }
    await vi.advanceTimersByTimeAsync(10_000);
    expect(read).toHaveBeenCalledTimes(times);
  });
});
