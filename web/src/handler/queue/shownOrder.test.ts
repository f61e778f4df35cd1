import { expect, test } from 'vitest';
import { shownOrder } from './shownOrder.ts';

test('the order shown is told when it changes, and only then', () => {
  let told = 0;
  const stop = shownOrder.subscribe(() => told++);
  shownOrder.set(['a', 'b']);
  const first = shownOrder.get();
  shownOrder.set(['a', 'b']);
  expect(shownOrder.get()).toBe(first);
  shownOrder.set(['b', 'a']);
  shownOrder.clear();
  expect(shownOrder.get()).toEqual([]);
  expect(told).toBe(3);
  stop();
  shownOrder.set(['c']);
  expect(told).toBe(3);
  shownOrder.clear();
});
