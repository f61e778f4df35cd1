import type { QueueRow } from '@settee/protocol/model/conversation';
import type { QueueShow } from '@settee/protocol/model/queue';
import { expect, test } from 'vitest';
import { aQueueRow as row } from '../../../test/aQueueRow.ts';
import {
  countsOf,
  filterInSearch,
  nextWaiting,
  rowsToShow,
  searchFor,
  waitingSummary,
} from './queueFilter.ts';

const NOW = 1_800_000_000_000;
const MINUTE_MS = 60_000;
const rows = [
  row('new', { unread: 2, waitingSince: NOW - MINUTE_MS }),
  row('marked', { markedUnread: true }),
  row('read', { waitingSince: NOW - 6 * MINUTE_MS }),
  row('answered'),
];

const count = (queue: readonly QueueRow[]) => countsOf({ queue, part: null }, NOW);
const summary = (queue: readonly QueueRow[]) => waitingSummary(count(queue), NOW);
const shown = (show: QueueShow, openId?: string) =>
  rowsToShow(rows, { show, now: NOW, openId }).map(({ conversationId }) => conversationId);

test('the address stores the filter, and any other value means all', () => {
  for (const show of ['all', 'unread', 'waiting', 'snoozed', 'closed'] as const) {
    expect(filterInSearch(searchFor(show))).toBe(show);
  }
  expect(searchFor('all')).toBe('');
  expect(filterInSearch('?show=nonsense')).toBe('all');
  expect(filterInSearch('?show=all')).toBe('all');
});

test('unread means unread messages or a mark; waiting means the threshold was reached', () => {
  expect(shown('all')).toEqual(['new', 'marked', 'read', 'answered']);
  expect(shown('unread')).toEqual(['new', 'marked']);
  expect(shown('waiting')).toEqual(['read']);
  expect(count(rows)).toMatchObject({ unread: 2, waiting: 1 });
  expect(summary(rows)?.count).toBe(1);
});

test('the open conversation stays in the list after it was read', () => {
  expect(shown('unread', 'answered')).toEqual(['new', 'marked', 'answered']);
  expect(shown('waiting', 'new')).toEqual(['new', 'read']);
});

const minutes = (n: number) => NOW - n * MINUTE_MS;
const waiting = [
  row('short', { waitingSince: minutes(6) }),
  row('fresh', { waitingSince: minutes(1) }),
  row('long', { waitingSince: minutes(26) }),
  row('answered'),
];

test('the strip counts waiting visitors, shows the longest wait, and turns red at the second threshold', () => {
  expect(summary(waiting)).toEqual({ count: 2, longest: '26m', long: true });
  expect(summary(waiting.slice(0, 2))).toEqual({ count: 1, longest: '6m', long: false });
  expect(summary([row('answered')])).toBeNull();
});

test('the Waiting filter shows the longest wait first', () => {
  const shownIds = rowsToShow(waiting, { show: 'waiting', now: NOW, openId: undefined });
  expect(shownIds.map(({ conversationId }) => conversationId)).toEqual(['long', 'short']);
});

test('the next waiting chat is the one that has waited longest, and not the closed one', () => {
  expect(nextWaiting(count(waiting), 'answered')).toBe('long');
  expect(nextWaiting(count(waiting), 'long')).toBe('short');
  expect(nextWaiting(count([row('answered')]))).toBeUndefined();
});

test('a snoozed chat is only in its own filter and not counted, until its time comes', () => {
  const later = row('later', { unread: 1, waitingSince: minutes(30), snoozedUntil: NOW + 2 });
  const sooner = row('sooner', { snoozedUntil: NOW + 1 });
  const back = row('back', { snoozedUntil: NOW });
  const all = [later, sooner, back];
  const ids = (show: QueueShow, openId?: string) =>
    rowsToShow(all, { show, now: NOW, openId }).map(({ conversationId }) => conversationId);
  expect(ids('all')).toEqual(['back']);
  expect(ids('all', 'later')).toEqual(['later', 'back']);
  expect(ids('unread')).toEqual([]);
  expect(ids('snoozed')).toEqual(['sooner', 'later']);
  expect(count(all)).toEqual({ open: 3, snoozed: 2, unread: 0, waiting: 0, longest: [] });
  expect([summary(all), nextWaiting(count(all))]).toEqual([null, undefined]);
});
