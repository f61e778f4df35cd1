import type { QueueRow } from '@settee/protocol/model/conversation';
import { expect, test } from 'vitest';
import { aQueueRow } from '../../../test/aQueueRow.ts';
import { randomId } from '../../net/randomId.ts';
import { changeQueue, sortQueue } from './queue.ts';

function row(conversationId: string, lastMessageAt: number, more: Partial<QueueRow> = {}): QueueRow {
  return aQueueRow(conversationId, { lastMessageAt, ...more });
}

const ids = (rows: readonly QueueRow[]) => rows.map((each) => each.conversationId);

test('[S-10] the queue is newest first', () => {
  expect(ids(sortQueue([row('a', 1), row('c', 3), row('b', 2)]))).toEqual(['c', 'b', 'a']);
});

test('a change moves its row, and a closed conversation is removed', () => {
  const rows = [row('b', 2), row('a', 1)];
  expect(ids(changeQueue(rows, { rows: [row('a', 5, { head: 2 })], gone: [] }))).toEqual(['a', 'b']);
  expect(ids(changeQueue(rows, { rows: [], gone: ['b'] }))).toEqual(['a']);
});

test('an older row than the shown one changes nothing', () => {
  const rows = [row('a', 5, { head: 2, rev: 4 })];
  expect(changeQueue(rows, { rows: [row('a', 1, { head: 1, rev: 9 })], gone: [] })).toBe(rows);
  expect(changeQueue(rows, { rows: [row('a', 5, { head: 2, rev: 3 })], gone: [] })).toBe(rows);
});

test('after any set of changes the queue equals a full sort', () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  let rows: readonly QueueRow[] = sortQueue(Array.from({ length: 60 }, (_, i) => row(`r${i}`, random(20))));
  for (let round = 2; round < 200; round++) {
    const changed = Array.from({ length: random(5) }, () =>
      row(`r${random(80)}`, random(20), { rev: round }),
    );
    const gone = Array.from({ length: random(3) }, () => `r${random(80)}`);
    const byId = new Map(rows.map((each) => [each.conversationId, each]));
    for (const id of gone) byId.delete(id);
    for (const each of changed) byId.set(each.conversationId, each);
    rows = changeQueue(rows, { rows: changed, gone });
    expect(ids(rows)).toEqual(ids(sortQueue([...byId.values()])));
  }
});

test('one change among 5,000 rows keeps the other row objects, and costs little', () => {
  const rows = sortQueue(Array.from({ length: 5_000 }, (_, i) => row(randomId(), i)));
  const last = rows.at(-1) as QueueRow;
  const changed = changeQueue(rows, { rows: [{ ...last, lastMessageAt: 9_000, head: 2 }], gone: [] });
  expect(changed[0]?.conversationId).toBe(last.conversationId);
  expect(changed.slice(1)).toEqual(rows.slice(0, -1));
  expect(changed[1]).toBe(rows[0]);

  const times = Array.from({ length: 50 }, (_, i) => {
    const startedAt = performance.now();
    changeQueue(rows, { rows: [{ ...last, lastMessageAt: i * 100, head: 2 }], gone: [] });
    return performance.now() - startedAt;
  }).sort((a, b) => a - b);
  // 0.2 ms on an idle machine; much more would be noticeable at a busy desk. A busy machine prolongs most of them.
  expect(times[0]).toBeLessThan(2);
});
