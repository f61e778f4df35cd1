import { expect, test } from 'vitest';
import { createShownOrder } from './screen.ts';

test('the shown order calls its listeners when it changes, and only then', () => {
  const shownOrder = createShownOrder();
  let calls = 0;
  const stop = shownOrder.subscribe(() => calls++);
  shownOrder.set(['a', 'b']);
  const first = shownOrder.get();
  shownOrder.set(['a', 'b']);
  expect(shownOrder.get()).toBe(first);
  shownOrder.set(['b', 'a']);
  shownOrder.clear();
  expect(shownOrder.get()).toEqual([]);
  expect(calls).toBe(3);
  stop();
  shownOrder.set(['c']);
  expect(calls).toBe(3);
  shownOrder.clear();
});
