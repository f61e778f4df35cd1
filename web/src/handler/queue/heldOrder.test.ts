import { expect, test } from 'vitest';
import { aQueueRow as row } from '../../../test/aQueueRow.ts';
import { fakeClock } from '../../../test/fakeClock.ts';
import { HOLD_MS, inHeldOrder, orderHold } from './heldOrder.ts';

test('a held list keeps its order, updates its rows, and lists new ones after them', () => {
  const rows = [row('new'), row('b', { unread: 3 }), row('a'), row('of another filter')];
  const shown = inHeldOrder(['a', 'gone', 'b'], rows, rows.slice(0, 2));
  expect(shown.map(({ conversationId }) => conversationId)).toEqual(['a', 'b', 'new']);
  expect(shown[1]).toBe(rows[1]);
});

test('the order is held from the first movement until the pointer leaves', async () => {
  const hold = orderHold(fakeClock());
  let notified = 0;
  hold.subscribe(() => notified++);
  expect(hold.get()).toBeNull();
  hold.moved(['a', 'b']);
  hold.moved(['b', 'a']);
  expect(hold.get()).toEqual(['a', 'b']);
  hold.release();
  expect(hold.get()).toBeNull();
  expect(notified).toBe(2);
});

test('a pointer that rests over the list holds its order', async () => {
  const clock = fakeClock();
  const hold = orderHold(clock);
  hold.moved(['a']);
  await clock.pass(10 * HOLD_MS);
  expect(hold.get()).toEqual(['a']);
});

test('no timer remains after the pointer has left', async () => {
  const clock = fakeClock();
  const hold = orderHold(clock);
  hold.moved(['a']);
  hold.acted();
  hold.release();
  hold.moved(['b']);
  await clock.pass(HOLD_MS);
  expect(hold.get()).toEqual(['b']);
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
