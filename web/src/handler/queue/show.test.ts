import { expect, test } from 'vitest';
import { aQueueRow as row } from '../../../test/aQueueRow.ts';
import { countUnread, countWaiting, rowsToShow, type Show, searchFor, showIn } from './show.ts';

const NOW = 1_800_000_000_000;
const MINUTE_MS = 60_000;
const rows = [
  row('new', { unread: 2, waitingSince: NOW - MINUTE_MS }),
  row('marked', { markedUnread: true }),
  row('read', { waitingSince: NOW - 6 * MINUTE_MS }),
  row('answered'),
];

const shown = (show: Show, openId?: string) =>
  rowsToShow(rows, { show, now: NOW, openId }).map(({ conversationId }) => conversationId);

test('[OPEN-87] the address says which conversations are shown, and anything else means all', () => {
  for (const show of ['all', 'unread', 'waiting', 'closed'] as const) {
    expect(showIn(searchFor(show))).toBe(show);
  }
  expect(searchFor('all')).toBe('');
  expect(showIn('?show=nonsense')).toBe('all');
  expect(showIn('?show=all')).toBe('all');
});

test('[OPEN-87] unread is what has unread messages or was marked; waiting is who has waited long enough', () => {
  expect(shown('all')).toEqual(['new', 'marked', 'read', 'answered']);
  expect(shown('unread')).toEqual(['new', 'marked']);
  expect(shown('waiting')).toEqual(['read']);
  expect(countUnread(rows)).toBe(2);
  expect(countWaiting(rows, NOW)).toBe(1);
});

test('[OPEN-87] the open conversation stays in the list, though it was just read', () => {
  expect(shown('unread', 'answered')).toEqual(['new', 'marked', 'answered']);
  expect(shown('waiting', 'new')).toEqual(['new', 'read']);
});
