import { expect, test } from 'vitest';
import { aQueueRow as row } from '../../../test/aQueueRow.ts';
import { newVisitorMessages } from './newVisitorMessages.ts';

const from = (sender: 'visitor' | 'owner', head: number, unread = 1) => ({
  lastSender: sender,
  head,
  unread,
});

test('[OPEN-88] the queue as it is found is no news; what a visitor writes later is, once', () => {
  const news = newVisitorMessages();
  const found = [row('a', from('visitor', 3))];
  expect(news(found)).toEqual([]);
  const next = row('a', from('visitor', 4));
  expect(news([next])).toEqual([next]);
  expect(news([{ ...next, unread: 0, rev: 9 }])).toEqual([]);
});

test('[OPEN-88] own words, and a conversation without any, are no news', () => {
  const news = newVisitorMessages();
  news([row('a', from('visitor', 3))]);
  expect(news([row('a', from('owner', 4)), row('b', { head: 0 })])).toEqual([]);
});

test('[OPEN-88] a new conversation is news with its first words; one that is taken back is not', () => {
  const news = newVisitorMessages();
  const a = row('a', from('visitor', 3));
  news([a]);
  const b = row('b', from('visitor', 1));
  expect(news([a, b])).toEqual([b]);
  expect(news([b])).toEqual([]);
  expect(news([a, b])).toEqual([]);
  // Closed long ago, reopened by hand: everything in it was read.
  expect(news([a, b, row('c', from('visitor', 12, 0))])).toEqual([]);
});
