import { expect, test } from 'vitest';
import { neighbourOf } from './focusTargets.ts';
import { chatAddress } from './useChatNavigation.ts';

test('J and K follow the shown order, from the first, and stop at the ends', () => {
  const order = ['a', 'b', 'c'];
  expect(neighbourOf(order, undefined, 1)).toBe('a');
  expect(neighbourOf(order, undefined, -1)).toBe('a');
  expect(neighbourOf(order, 'gone', 1)).toBe('a');
  expect(neighbourOf(order, 'a', 1)).toBe('b');
  expect(neighbourOf(order, 'b', -1)).toBe('a');
  expect(neighbourOf(order, 'a', -1)).toBeUndefined();
  expect(neighbourOf(order, 'c', 1)).toBeUndefined();
  expect(neighbourOf([], undefined, 1)).toBeUndefined();
});

test('the filter stays in the address, the previous message does not', () => {
  expect(chatAddress('a', '?show=unread&message=3')).toEqual({
    pathname: '/conversation/a',
    search: 'show=unread',
  });
  expect(chatAddress('a', '', 7)).toEqual({ pathname: '/conversation/a', search: 'message=7' });
  expect(chatAddress(undefined, '?show=waiting')).toEqual({ pathname: '/', search: 'show=waiting' });
});
