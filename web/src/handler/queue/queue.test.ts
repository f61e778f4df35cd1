import type { QueueRow } from '@settee/protocol/conversation';
import { expect, test } from 'vitest';
import { changeQueue, sortQueue } from './queue.ts';

function row(conversationId: string, lastMessageAt: number, more: Partial<QueueRow> = {}): QueueRow {
  return {
    conversationId,
    visitorId: conversationId,
    visitorName: '',
    lastMessageAt,
    lastMessage: '',
    lastSender: null,
    unread: 0,
    head: 1,
    rev: 1,
    waitingSince: null,
    markedUnread: false,
    ...more,
  };
}

const ids = (rows: readonly QueueRow[]) => rows.map((each) => each.conversationId);

test('[S-10] the queue is newest first', () => {
  expect(ids(sortQueue([row('a', 1), row('c', 3), row('b', 2)]))).toEqual(['c', 'b', 'a']);
});

test('a change moves its row, a closed conversation leaves', () => {
  const rows = [row('b', 2), row('a', 1)];
  expect(ids(changeQueue(rows, { rows: [row('a', 5, { head: 2 })], gone: [] }))).toEqual(['a', 'b']);
  expect(ids(changeQueue(rows, { rows: [], gone: ['b'] }))).toEqual(['a']);
});

test('a row that is older than the one shown changes nothing', () => {
  const rows = [row('a', 5, { head: 2, rev: 4 })];
  expect(changeQueue(rows, { rows: [row('a', 1, { head: 1, rev: 9 })], gone: [] })).toEqual(rows);
  expect(changeQueue(rows, { rows: [row('a', 5, { head: 2, rev: 3 })], gone: [] })).toEqual(rows);
});
