import { expect, test } from 'vitest';
import { aQueueRow as row } from '../../../test/aQueueRow.ts';
import { newVisitorMessages } from './newVisitorMessages.ts';

const from = (sender: 'visitor' | 'owner', head: number, unread = 1) => ({
  lastSender: sender,
  head,
  unread,
});

test('the loaded queue is no news; what a visitor writes later is, once', () => {
  const news = newVisitorMessages();
  const found = [row('a', from('visitor', 3))];
  expect(news(found)).toEqual([]);
  const next = row('a', from('visitor', 4));
  expect(news([next])).toEqual([next]);
  expect(news([{ ...next, unread: 0, rev: 9 }])).toEqual([]);
});

test('own messages, and a conversation without messages, are no news', () => {
  const news = newVisitorMessages();
  news([row('a', from('visitor', 3))]);
  expect(news([row('a', from('owner', 4)), row('b', { head: 0 })])).toEqual([]);
});

test('a new conversation is news with its first message; one that is removed is not', () => {
  const news = newVisitorMessages();
  const a = row('a', from('visitor', 3));
  news([a]);
  const b = row('b', from('visitor', 1));
  expect(news([a, b])).toEqual([b]);
  expect(news([b])).toEqual([]);
  expect(news([a, b])).toEqual([]);
  // Closed long ago and reopened by hand: all its messages were read.
  expect(news([a, b, row('c', from('visitor', 12, 0))])).toEqual([]);
});
