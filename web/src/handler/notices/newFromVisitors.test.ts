import type { QueueRow } from '@settee/protocol/conversation';
import { expect, test } from 'vitest';
import { newFromVisitors } from './newFromVisitors.ts';

function row(conversationId: string, change: Partial<QueueRow> = {}): QueueRow {
  return {
    conversationId,
    visitorId: 'v',
    visitorName: 'Jonas',
    lastMessageAt: 1,
    lastMessage: 'words',
    lastSender: 'visitor',
    unread: 1,
    head: 1,
    rev: 1,
    waitingSince: null,
    markedUnread: false,
    ...change,
  };
}

test('[H-04] a notice is due for what a visitor wrote since, and for nothing else', () => {
  const before = [row('written'), row('same'), row('answered'), row('read'), row('left')];
  const now = [
    row('written', { head: 2, unread: 2 }),
    row('same', { rev: 9 }),
    row('answered', { head: 2, lastSender: 'owner' }),
    row('read', { head: 2, unread: 0 }),
    row('came'),
    row('came in silence', { head: 0, unread: 0, lastSender: null }),
  ];
  expect(newFromVisitors(before, now).map(({ conversationId }) => conversationId)).toEqual([
    'written',
    'came',
  ]);
});
