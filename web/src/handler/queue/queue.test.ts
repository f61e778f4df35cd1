import type { QueueRow } from '@settee/protocol/model/conversation';
import type { QueueShow } from '@settee/protocol/model/queue';
import { expect, test } from 'vitest';
import { aQueueRow, aQueueRow as row } from '../../../test/aDesk.ts';
import { fakeClock } from '../../../test/fakeClock.ts';
import { waitingOf } from '../../staff/waiting.ts';
import { mayHaveClosed } from './ClosedQueue.tsx';
import { changeQueue, sortQueue } from './queue.ts';
import { countsOf, nextWaiting, rowsToShow, waitingSummary } from './queueFilter.ts';
import { snoozeChoices } from './SnoozeDialog.tsx';
import { HOLD_MS, inHeldOrder, orderHold } from './useHeldRows.ts';

function rowAt(conversationId: string, lastMessageAt: number, more: Partial<QueueRow> = {}): QueueRow {
  return aQueueRow(conversationId, { lastMessageAt, ...more });
}

const ids = (rows: readonly QueueRow[]) => rows.map((each) => each.conversationId);

test('[S-10] the queue is newest first', () => {
  expect(ids(sortQueue([rowAt('a', 1), rowAt('c', 3), rowAt('b', 2)]))).toEqual(['c', 'b', 'a']);
});

test('an older row than the shown one changes nothing', () => {
  const rows = [rowAt('a', 5, { head: 2, rev: 4 })];
  expect(changeQueue(rows, { rows: [rowAt('a', 1, { head: 1, rev: 9 })], gone: [] })).toBe(rows);
  expect(changeQueue(rows, { rows: [rowAt('a', 5, { head: 2, rev: 3 })], gone: [] })).toBe(rows);
});

test('after any set of changes the queue equals a full sort', () => {
  let seed = 7;
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647;
    return seed % below;
  };
  let rows: readonly QueueRow[] = sortQueue(Array.from({ length: 60 }, (_, i) => rowAt(`r${i}`, random(20))));
  for (let round = 2; round < 200; round++) {
    const changed = Array.from({ length: random(5) }, () =>
      rowAt(`r${random(80)}`, random(20), { rev: round }),
    );
    const gone = Array.from({ length: random(3) }, () => `r${random(80)}`);
    const byId = new Map(rows.map((each) => [each.conversationId, each]));
    for (const id of gone) byId.delete(id);
    for (const each of changed) byId.set(each.conversationId, each);
    rows = changeQueue(rows, { rows: changed, gone });
    expect(ids(rows)).toEqual(ids(sortQueue([...byId.values()])));
  }
});

test('a held list keeps its order, updates its rows, and lists new ones after them', () => {
  const rows = [row('new'), row('b', { unread: 3 }), row('a'), row('of another filter')];
  const shown = inHeldOrder(['a', 'gone', 'b'], rows, rows.slice(0, 2));
  expect(shown.map(({ conversationId }) => conversationId)).toEqual(['a', 'b', 'new']);
  expect(shown[1]).toBe(rows[1]);
});

test('after an own reply or close the order is held for at most three seconds, however the pointer moves', async () => {
  const clock = fakeClock();
  const hold = orderHold(clock);
  // Nothing is held, so there is nothing to end.
  hold.acted();
  hold.moved(['a', 'b']);
  hold.acted();
  await clock.pass(HOLD_MS - 1);
  hold.moved(['a', 'b']);
  hold.acted();
  expect(hold.get()).toEqual(['a', 'b']);
  await clock.pass(1);
  expect(hold.get()).toBeNull();
  // After that, a pointer movement holds the new order as usual.
  hold.moved(['b', 'a']);
  await clock.pass(HOLD_MS - 1);
  expect(hold.get()).toEqual(['b', 'a']);
});

const NOW = 1_800_000_000_000;
const MINUTE_MS = 60_000;

const count = (queue: readonly QueueRow[]) => countsOf({ queue, part: null }, NOW);
const summary = (queue: readonly QueueRow[]) => waitingSummary(count(queue), NOW);

const minutes = (n: number) => NOW - n * MINUTE_MS;

const waiting = [
  row('short', { waitingSince: minutes(6) }),
  row('fresh', { waitingSince: minutes(1) }),
  row('long', { waitingSince: minutes(26) }),
  row('answered'),
];

test('the strip counts waiting visitors, shows the longest wait, and turns red at the second threshold', () => {
  expect(summary(waiting)).toEqual({ id: 'long', count: 2, longest: '26m', long: true });
  expect(summary(waiting.slice(0, 2))).toEqual({ id: 'short', count: 1, longest: '6m', long: false });
  expect(summary([row('answered')])).toBeNull();
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

const untils = (now: Date) => snoozeChoices(now.getTime()).map(({ until }) => new Date(until));

test('a chat can be snoozed for hours, until tomorrow morning and until Monday morning', () => {
  const wednesday = new Date(2026, 10, 18, 14, 30);
  expect(untils(wednesday)).toEqual([
    new Date(2026, 10, 18, 15, 30),
    new Date(2026, 10, 18, 18, 30),
    new Date(2026, 10, 19, 9, 0),
    new Date(2026, 10, 23, 9, 0),
  ]);
});

test('if tomorrow is Monday it is offered once, and on a Monday the next one', () => {
  expect(untils(new Date(2026, 10, 22, 12, 0))).toHaveLength(3);
  expect(untils(new Date(2026, 10, 23, 12, 0))).toHaveLength(3);
});

const known = (ids: string, deskReads = 1) => ({ ids: ids.split(''), deskReads });

test('the closed list reloads when a conversation left the queue, also when another arrived with it', () => {
  expect(mayHaveClosed(known('ab'), known('a'))).toBe(true);
  expect(mayHaveClosed(known('ab'), known('cb'))).toBe(true);
  expect(mayHaveClosed(known('ab'), known('cba'))).toBe(false);
});

test('the closed list reloads after a lost connection, but not for the first load of the queue', () => {
  expect(mayHaveClosed(known('ab'), known('ab', 2))).toBe(true);
  expect(mayHaveClosed(known('', 0), known('ab', 1))).toBe(false);
});

const after = (minutes: number) => waitingOf({ waitingSince: NOW - minutes * MINUTE_MS }, NOW);

test('a visitor who has waited for less than five minutes, or not at all, is not marked', () => {
  expect(waitingOf({ waitingSince: null }, NOW)).toBeNull();
  expect(after(0)).toBeNull();
  expect(after(4.99)).toBeNull();
  // A clock behind the server's.
  expect(after(-3)).toBeNull();
});

test('from five minutes a chip shows the wait, from fifteen it is urgent', () => {
  expect(after(5)).toEqual({ text: 'Waiting 5m', long: false });
  expect(after(14.99)).toEqual({ text: 'Waiting 14m', long: false });
  expect(after(15)).toEqual({ text: 'Waiting 15m', long: true });
  expect(after(59.99)).toEqual({ text: 'Waiting 59m', long: true });
});

test('the thresholds are those that the administrator set', () => {
  const settings = { waitingMinutes: 1, waitingLongMinutes: 3 };
  const set = (minutes: number) => waitingOf({ waitingSince: NOW - minutes * MINUTE_MS }, NOW, settings);
  expect([set(0.9), set(1)?.long, set(2.9)?.long, set(3)?.long]).toEqual([null, false, false, true]);
});
