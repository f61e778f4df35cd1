import { CONVERSATION_COUNT_MAX } from '@settee/protocol/calls/conversationAdminCalls';
import { expect, test } from 'vitest';
import { rangeText } from '../parts/paging.ts';
import { countText, filtersIn, queryOf, searchOf } from './filters.ts';

test('a chip shows its count, and whether counting stopped', () => {
  const counts = { open: 12, waiting: 3, closed: 58, blocked: 1 };
  expect(countText('', counts)).toBe('71');
  expect(countText('waiting', counts)).toBe('3');
  expect(countText('closed', { ...counts, closed: CONVERSATION_COUNT_MAX })).toBe('999+');
  expect(countText('', { ...counts, closed: CONVERSATION_COUNT_MAX })).toBe('999+');
  expect(countText('open', undefined)).toBeUndefined();
});

test('the foot says which rows show, as far as they are counted', () => {
  expect(rangeText(50, 1_320)).toBe('1 to 50 of 1,320');
  expect(rangeText(50, '999+')).toBe('1 to 50 of 999+');
  expect(rangeText(50, undefined)).toBe('1 to 50');
});

test('the address stores the search and its scope; the list itself is searched by names only', () => {
  const filters = filtersIn(new URLSearchParams('q=lyon&in=messages&show=nonsense&message=4'));
  expect(filters).toEqual({ show: '', alias: '', q: 'lyon', in: 'messages' });
  expect(searchOf(filters)).toEqual({ q: 'lyon', in: 'messages' });
  expect(queryOf(filters)).toEqual({ q: 'lyon' });
  expect(queryOf({ ...filters, q: ' l ' })).toEqual({});
});
