import { expect, test } from 'vitest';
import { PresentVisitors } from './presentVisitors.ts';

function watched() {
  const changed: string[] = [];
  return { changed, visitors: new PresentVisitors((id) => changed.push(id)) };
}

test('[QUEUE-27] presence that a gateway does not renew ends with its lease', () => {
  const { changed, visitors } = watched();
  visitors.arrive('a', 'dead', 10);
  visitors.arrive('b', 'dead', 10);
  visitors.arrive('b', 'alive', 10);
  visitors.replace('alive', ['b'], 20);
  visitors.expire(10);
  expect([visitors.has('a'), visitors.has('b')]).toEqual([true, true]);
  visitors.expire(11);
  expect([visitors.has('a'), visitors.has('b')]).toEqual([false, true]);
  expect(changed).toEqual(['a', 'b', 'a']);
});

test('[QUEUE-27] a visitor that a gateway no longer reports is not present there', () => {
  const { changed, visitors } = watched();
  visitors.replace('one', ['a', 'b'], 10);
  visitors.replace('two', ['b'], 10);
  visitors.replace('one', ['c'], 20);
  expect(['a', 'b', 'c'].filter((id) => visitors.has(id))).toEqual(['b', 'c']);
  expect(changed).toEqual(['a', 'b', 'c', 'a']);
  visitors.leave('b', 'one');
  expect(visitors.has('b')).toBe(true);
});
